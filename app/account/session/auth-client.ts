import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js'
import { provingFetch } from './proving-fetch.ts'
import { quietStorage } from './quiet-storage.ts'
import { OWN_PAGES_HEADER, REFERRER_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from './session-front.ts'

const VERIFIER = 'code-verifier'
const memory = new Map<string, string>()

/**
 * The session lives only in this document's memory; the cookie that renews it is not readable by scripts. Only values that must survive a
 * round trip to another site are stored in the browser.
 */
const storage = {
  getItem: (key: string) => (key.endsWith(VERIFIER) ? quietStorage.getItem(key) : (memory.get(key) ?? null)),
  setItem: (key: string, value: string) => (key.endsWith(VERIFIER) ? quietStorage.setItem(key, value) : void memory.set(key, value)),
  removeItem: (key: string) => (key.endsWith(VERIFIER) ? quietStorage.removeItem(key) : void memory.delete(key)),
}

/** The auth protocol's own client, unmodified. */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  headers: { [OWN_PAGES_HEADER]: '1', apikey: 'public', ...(document.referrer && { [REFERRER_HEADER]: document.referrer }) },
  storageKey: 'winnow-auth',
  storage,
  flowType: 'pkce',
  fetch: provingFetch((input, init) => fetch(input, init)),
})

let restoring: Promise<boolean> | undefined

/**
 * Restores the session by the server's cookie. Returns whether there is one; throws when the server cannot be reached, because then the
 * state is unknown.
 */
export function restoreClientSession(): Promise<boolean> {
  restoring ??= restore().finally(() => (restoring = undefined))
  return restoring
}

/** Like `restoreClientSession`, but a session in this document is enough: its client renews it in time. */
export async function keepClientSession(): Promise<boolean> {
  const { data } = await auth.getSession()
  return data.session ? true : restoreClientSession()
}

async function restore(): Promise<boolean> {
  const { data } = await auth.getSession()
  const { error } = await auth.refreshSession({ refresh_token: data.session?.refresh_token ?? HELD_BY_SERVER })
  if (isAuthRetryableFetchError(error)) throw error
  return error === null
}
