import type { AuthError, User as AuthUser } from '@supabase/auth-js'
import { mayRepeat } from '#app/platform/confirm-identity.ts'

/** The auth client is loaded when it is needed: a page that only shows something never needs it. */
const client = () => import('./auth-client.ts')

export type Auth = Awaited<ReturnType<typeof client>>['auth']

/** Why it did not work, in words for a toast; `code` is the service's. */
export type Failure = { message: string; code: string | undefined }

export type Credentials = { email: string; password: string }
/** The profile travels as metadata of the account. */
export type NewAccount = Credentials & { profile: { first_name: string; last_name: string } }

/** Signs in; the cookies that pages and the API read come with the answer. Halfway in is who has to take a second step yet. */
export async function signIn({ email, password }: Credentials): Promise<{ failure?: Failure; isHalfway?: boolean }> {
  return guarded('Sign in failed', async () => {
    const { auth } = await client()
    const { data, error } = await auth.signInWithPassword({ email, password })
    // An answer without a session is an error to the client, which has its own words for it.
    if (error?.name === 'AuthInvalidTokenResponseError' || !(error || data.session)) {
      return { failure: { message: 'Failed to get session', code: undefined } }
    }
    return error ? { failure: toFailure(error, 'Sign in failed') } : { isHalfway: lacksSecondStep(data.user) }
  })
}

/** A session that has just begun is one of the first step. */
export function lacksSecondStep(user: AuthUser | null): boolean {
  return user?.factors?.some(({ status }) => status === 'verified') ?? false
}

/** Makes an account. Without a session in the answer, the address has to be confirmed first. */
export async function signUp({ email, password, profile }: NewAccount): Promise<{ failure?: Failure; needsEmailVerification?: boolean }> {
  return guarded('Sign up failed', async () => {
    const { auth } = await client()
    const { data, error } = await auth.signUp({ email, password, options: { data: profile } })
    if (error) return { failure: toFailure(error, 'Sign up failed') }
    return { needsEmailVerification: data.session === null }
  })
}

let signingOut = false

/** Signs out on this device, or everywhere; this one is then a visitor's. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<{ failure?: Failure }> {
  signingOut = true
  return guarded('Sign out failed', async () => {
    const { auth, restoreSession } = await client()
    // The service is told which session ends by its token, and this document may not have it yet.
    const { data } = await auth.getSession()
    if (!data.session && !(await restoreSession())) return {}
    const first = await auth.signOut({ scope })
    const { error } = (await mayRepeat(first.error?.code)) ? await auth.signOut({ scope }) : first
    return error ? { failure: toFailure(error, 'Sign out failed') } : {}
  }).finally(() => (signingOut = false))
}

/** Sees to it that the session goes on. Answers whether there is one; throws when the server cannot be asked. */
export async function keepSession(): Promise<boolean> {
  return (await client()).keepSession()
}

/** Renews the session now. Answers whether there is one; throws when the server cannot be asked. */
export async function restoreSession(): Promise<boolean> {
  return (await client()).restoreSession()
}

/**
 * Calls back when the session is over, by another tab or by the server's word; not for `signOut` here, which tells before the server
 * has heard of it. Answers the function that ends it.
 */
export async function onSignedOut(callback: () => void): Promise<() => void> {
  const { auth } = await client()
  const { data } = auth.onAuthStateChange((event) => {
    if (event === 'SIGNED_OUT' && !signingOut) callback()
  })
  return () => data.subscription.unsubscribe()
}

/** Does what needs nobody signed in, or says why not. */
export async function asVisitor(
  fallback: string,
  work: (auth: Auth) => Promise<{ error: AuthError | null }>,
): Promise<{ failure?: Failure }> {
  return guarded(fallback, async () => {
    const { error } = await work((await client()).auth)
    return error ? { failure: toFailure(error, fallback) } : {}
  })
}

/** Waits for the client to use the code that stands in the address of this page. */
export async function comeBack(): Promise<{ failure?: Failure; isHalfway?: boolean }> {
  return guarded('Sign in failed', async () => {
    const { auth } = await client()
    const { error } = await auth.initialize()
    const { data } = await auth.getSession()
    if (data.session && !error) return { isHalfway: lacksSecondStep(data.session.user) }
    return { failure: error ? toFailure(error, 'Sign in failed') : { message: 'Sign in failed', code: undefined } }
  })
}

/** Does what only the person can do who is signed in here, or says why not. */
export async function asMember(
  fallback: string,
  work: (auth: Auth) => Promise<{ error: AuthError | null }>,
): Promise<{ failure?: Failure }> {
  return guarded(fallback, async () => {
    const { auth, keepSession } = await client()
    if (!(await keepSession())) return { failure: { message: 'You are signed out. Please sign in again.', code: 'session_not_found' } }
    const first = await work(auth)
    const { error } = (await mayRepeat(first.error?.code)) ? await work(auth) : first
    return error ? { failure: toFailure(error, fallback) } : {}
  })
}

async function guarded<T extends { failure?: Failure }>(fallback: string, work: () => Promise<T>): Promise<T | { failure: Failure }> {
  try {
    return await work()
  } catch {
    // The client itself could not be loaded, or the server not be asked.
    return { failure: { message: fallback, code: undefined } }
  }
}

function toFailure({ name, message, code, status }: AuthError, fallback: string): Failure {
  // The client has an error of its own for that code, and drops it.
  if (name === 'AuthSessionMissingError') return { message: 'You are signed out. Please sign in again.', code: 'session_not_found' }
  // Without an answer there is no word of the service, only the browser's about its network.
  return { message: status && !NO_WORD.test(message) ? message : fallback, code }
}

/** What the client makes of an answer without a message: nothing, the answer as JSON, or what its status is called by whoever stands in between. */
const NO_WORD = /^($|[{["]|null$|HTTP \d|Internal Server Error$|Bad Gateway$|Service Unavailable$|Gateway Time-?out$)/i
