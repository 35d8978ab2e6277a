import { AuthClient, isAuthRetryableFetchError } from '@supabase/auth-js'
import { provingFetch } from './proving-fetch.ts'
import { FRONT_HEADER } from '#app/auth-protocol/front-header.ts'
import { HELD_BY_SERVER } from './session-front.ts'

const VERIFIER = 'code-verifier'
const memory = new Map<string, string>()

/**
 * The session lives in this document's memory alone; what renews it is a cookie that no script can read. Only what has to survive a round
 * trip to another site is kept by the browser.
 */
const storage = {
  getItem: (key: string) => (key.endsWith(VERIFIER) ? localStorage.getItem(key) : (memory.get(key) ?? null)),
  setItem: (key: string, value: string) => (key.endsWith(VERIFIER) ? localStorage.setItem(key, value) : void memory.set(key, value)),
  removeItem: (key: string) => (key.endsWith(VERIFIER) ? localStorage.removeItem(key) : void memory.delete(key)),
}

/** The protocol's own client, as it comes. */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  headers: { [FRONT_HEADER]: '1', apikey: 'public' },
  storageKey: 'winnow-auth',
  storage,
  flowType: 'pkce',
  fetch: provingFetch((input, init) => fetch(input, init)),
})

let restoring: Promise<boolean> | undefined

/**
 * Takes up the session that the server's cookie renews. Answers whether there is one; throws when the server cannot be asked, because then
 * nobody knows.
 */
export function restoreSession(): Promise<boolean> {
  restoring ??= restore().finally(() => (restoring = undefined))
  return restoring
}

/** The same where the session of this document will do: its client renews it in time by itself. */
export async function keepSession(): Promise<boolean> {
  const { data } = await auth.getSession()
  return data.session ? true : restoreSession()
}

async function restore(): Promise<boolean> {
  const { data } = await auth.getSession()
  const { error } = await auth.refreshSession({ refresh_token: data.session?.refresh_token ?? HELD_BY_SERVER })
  if (isAuthRetryableFetchError(error)) throw error
  return error === null
}
