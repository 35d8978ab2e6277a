import type { AuthError, User as AuthUser } from '@supabase/auth-js'
import { mayRepeat } from '#app/platform/browser/confirm-identity.ts'
import { quietStorage } from './quiet-storage.ts'

/** The auth client is loaded on demand: a page that only shows something never needs it. */
const client = () => import('./auth-client.ts')

export type Auth = Awaited<ReturnType<typeof client>>['auth']

/** The reason for a failure, as the text of a toast; `code` is the service's. */
export type Failure = { message: string; code: string | undefined }

export type Credentials = { email: string; password: string }
/** The profile is sent as metadata of the account. */
export type NewAccount = Credentials & { profile: { first_name: string; last_name: string } }

/** Signs in; the response sets the cookies for pages and the API. `mfaPending`: a second factor is still pending. */
export async function signInWithPassword({ email, password }: Credentials): Promise<{ failure?: Failure; mfaPending?: boolean }> {
  return guarded('Sign in failed', async () => {
    const { auth } = await client()
    const { data, error } = await auth.signInWithPassword({ email, password })
    // The client reports a response without a session as an error, with a text of its own.
    if (error?.name === 'AuthInvalidTokenResponseError' || !(error || data.session)) {
      return { failure: { message: 'Failed to get session', code: undefined } }
    }
    return error ? { failure: toFailure(error, 'Sign in failed') } : { mfaPending: needsMfa(data.user) }
  })
}

/** A new session has passed only the first factor. */
export function needsMfa(user: AuthUser | null): boolean {
  return user?.factors?.some(({ status }) => status === 'verified') ?? false
}

/** Creates an account. Without a session in the response, the address has to be confirmed first. */
export async function signUpWithPassword({
  email,
  password,
  profile,
}: NewAccount): Promise<{ failure?: Failure; needsEmailVerification?: boolean }> {
  return guarded('Sign up failed', async () => {
    const { auth } = await client()
    const { data, error } = await auth.signUp({ email, password, options: { data: profile } })
    if (error) return { failure: toFailure(error, 'Sign up failed') }
    return { needsEmailVerification: data.session === null }
  })
}

let signingOut = false

/** Tells the other tabs of this browser that the person is signing out (a time in ms), or has signed out (the time and DONE). */
const SIGNED_OUT_AT = 'winnow-signed-out-at'
const DONE = ' done'

/** Whether the person has signed out in this browser since this document was opened. */
export function hasSignedOut(): boolean {
  return Number.parseInt(quietStorage.getItem(SIGNED_OUT_AT) ?? '0', 10) >= performance.timeOrigin
}

/** Calls back when the person has signed out in another tab of this browser. Ends with `signal`. */
export function onSignedOutInAnotherTab(callback: () => void, signal: AbortSignal): void {
  window.addEventListener('storage', ({ key, newValue }) => key === SIGNED_OUT_AT && newValue?.endsWith(DONE) && callback(), { signal })
}

/** Signs out on this device, or everywhere; this document then belongs to a visitor. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<{ failure?: Failure }> {
  signingOut = true
  const startedAt = String(Date.now())
  quietStorage.setItem(SIGNED_OUT_AT, startedAt)
  const outcome = await guarded<{ failure?: Failure }>('Sign out failed', async () => {
    const { auth, restoreClientSession } = await client()
    // The token names the session to end, and this document may not have it yet.
    const { data } = await auth.getSession()
    if (!data.session && !(await restoreClientSession())) return {}
    const first = await auth.signOut({ scope })
    const { error } = (await mayRepeat(first.error?.code)) ? await auth.signOut({ scope }) : first
    return error ? { failure: toFailure(error, 'Sign out failed') } : {}
  })
  signingOut = false
  // The person is still signed in after a failure, also when the server was not reached.
  if (outcome.failure) quietStorage.removeItem(SIGNED_OUT_AT)
  else quietStorage.setItem(SIGNED_OUT_AT, startedAt + DONE)
  return outcome
}

/** Keeps the session alive. Returns whether there is one; throws when the server cannot be reached. */
export async function keepSession(): Promise<boolean> {
  return (await client()).keepClientSession()
}

/** Renews the session now. Returns whether there is one; throws when the server cannot be reached. */
export async function restoreSession(): Promise<boolean> {
  return (await client()).restoreClientSession()
}

/**
 * Calls back when the session ends in another tab or on the server; not for `signOut` in this tab, which tells before the server has
 * processed it. Returns the function that unsubscribes.
 */
export async function onSignedOut(callback: () => void): Promise<() => void> {
  const { auth } = await client()
  const { data } = auth.onAuthStateChange((event) => {
    if (event === 'SIGNED_OUT' && !signingOut) callback()
  })
  return () => data.subscription.unsubscribe()
}

/** Runs an action that needs no session, or returns why it failed. */
export async function asVisitor(
  fallback: string,
  work: (auth: Auth) => Promise<{ error: AuthError | null }>,
): Promise<{ failure?: Failure }> {
  return guarded(fallback, async () => {
    const { error } = await work((await client()).auth)
    return error ? { failure: toFailure(error, fallback) } : {}
  })
}

/** Waits for the client to use the code in this page's URL. */
export async function comeBack(): Promise<{ failure?: Failure; mfaPending?: boolean }> {
  return guarded('Sign in failed', async () => {
    const { auth } = await client()
    const { error } = await auth.initialize()
    const { data } = await auth.getSession()
    if (data.session && !error) return { mfaPending: needsMfa(data.session.user) }
    return { failure: error ? toFailure(error, 'Sign in failed') : { message: 'Sign in failed', code: undefined } }
  })
}

/** Runs an action that needs a session, or returns why it failed. */
export async function asMember(
  fallback: string,
  work: (auth: Auth) => Promise<{ error: AuthError | null }>,
): Promise<{ failure?: Failure }> {
  return guarded(fallback, async () => {
    const { auth, keepClientSession } = await client()
    if (!(await keepClientSession()))
      return { failure: { message: 'You are signed out. Please sign in again.', code: 'session_not_found' } }
    const first = await work(auth)
    const { error } = (await mayRepeat(first.error?.code)) ? await work(auth) : first
    return error ? { failure: toFailure(error, fallback) } : {}
  })
}

async function guarded<T extends { failure?: Failure }>(fallback: string, work: () => Promise<T>): Promise<T | { failure: Failure }> {
  try {
    return await work()
  } catch {
    // The client could not be loaded, or the server could not be reached.
    return { failure: { message: fallback, code: undefined } }
  }
}

function toFailure({ name, message, code, status }: AuthError, fallback: string): Failure {
  // The client replaces that code with an error of its own.
  if (name === 'AuthSessionMissingError') return { message: 'You are signed out. Please sign in again.', code: 'session_not_found' }
  // Without a response the message is not the service's, but the browser's about its network.
  return { message: status && !NO_WORD.test(message) ? message : fallback, code }
}

/** The client's message for a response without one: empty, the response as JSON, or the status text of a proxy. */
const NO_WORD = /^($|[{["]|null$|HTTP \d|Internal Server Error$|Bad Gateway$|Service Unavailable$|Gateway Time-?out$)/i

/** Returns a name that none of the person's factors has. */
export function freeName(taken: readonly string[], name: string): string {
  const names = [name, ...Array.from({ length: taken.length + 1 }, (_, index) => `${name} ${index + 2}`)]
  return names.find((free) => !taken.includes(free)) ?? ''
}
