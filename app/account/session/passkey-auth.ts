import type { AuthError } from '@supabase/auth-js'
import { asMember, asVisitor, type Auth, type Failure, needsMfa, freeName } from './auth.ts'
import type { ChosenPasskey } from './passkey-autofill.ts'

type Done = Promise<{ failure?: Failure }>
type Signed = Promise<{ failure?: Failure; mfaPending?: boolean }>

/** The code of a harmless failure: the person closed the browser's dialog, or it timed out. */
export const CANCELED = 'canceled'

/** Creates a passkey in the browser, which can then sign in to this account. */
export function registerPasskey(): Done {
  return withKey('The passkey could not be added', asMember, (auth) => auth.registerPasskey())
}

export function requestPasskeyRename(passkeyId: string, friendlyName: string): Done {
  return asMember('The passkey could not be renamed', (auth) => auth.passkey.update({ passkeyId, friendlyName }))
}

export function requestPasskeyRemoval(passkeyId: string): Done {
  return asMember('The passkey could not be removed', (auth) => auth.passkey.delete({ passkeyId }))
}

/** Signs in with a passkey that the person chooses in the browser's dialog. */
export async function signInWithPasskey(): Signed {
  let mfaPending = false
  const { failure } = await withKey('Sign in failed', asVisitor, async (auth) => {
    const { data, error } = await auth.signInWithPasskey()
    mfaPending = needsMfa(data?.user ?? null)
    return { error }
  })
  return failure ? { failure } : { mfaPending }
}

/** The same with a passkey chosen among the suggestions for the email field. */
export async function signInWithChosen(chosen: ChosenPasskey): Signed {
  let mfaPending = false
  const { failure } = await withKey('Sign in failed', asVisitor, async (auth) => {
    const { data, error } = await auth.passkey.verifyAuthentication(chosen)
    mfaPending = needsMfa(data?.user ?? null)
    return { error }
  })
  return failure ? { failure } : { mfaPending }
}

/** Adds a security key as a second factor. An unfinished one is removed. */
export function addSecurityKey(name: string): Done {
  return withKey('The security key could not be added', asMember, async (auth) => {
    const { data: before } = await auth.mfa.listFactors()
    const friendlyName = freeName(before?.all.map((factor) => factor.friendly_name ?? '') ?? [], name)
    const { error } = await auth.mfa.webauthn.register({ friendlyName })
    if (!error) return { error }
    const { data: after } = await auth.mfa.listFactors()
    const begun = after?.all.find((factor) => factor.friendly_name === friendlyName && factor.status === 'unverified')
    if (begun) await auth.mfa.unenroll({ factorId: begun.id })
    return { error }
  })
}

/** Verifies a security key as the second factor of a sign-in. */
export function passWithSecurityKey(factorId: string): Done {
  return withKey('The security key could not be checked', asMember, (auth) => auth.mfa.webauthn.authenticate({ factorId }))
}

/** The text for each browser error, by its name. */
const sentences: Record<string, string> = {
  InvalidStateError: 'This device already holds a passkey for your account.',
  SecurityError: 'Passkeys only work at the main address of this site.',
  ConstraintError: 'This device can’t check who uses it. Set up a PIN, fingerprint or face unlock first.',
}

type Access = typeof asMember
type BrowserError = { name: string }

/** Runs an action with an authenticator. Errors of the service keep their text; errors of the browser get ours. */
async function withKey(fallback: string, access: Access, work: (auth: Auth) => Promise<{ error: AuthError | BrowserError | null }>): Done {
  let told: Failure | undefined
  const { failure } = await access(fallback, async (auth) => {
    const { error } = await work(auth)
    if (!error || isOfService(error)) return { error }
    const isCanceled = error.name === 'NotAllowedError' || error.name === 'AbortError'
    if (isCanceled) told = { message: 'The request was canceled or timed out.', code: CANCELED }
    else told = { message: sentences[error.name] ?? fallback, code: undefined }
    return { error: null }
  })
  if (failure) return { failure }
  return told ? { failure: told } : {}
}

function isOfService(error: AuthError | BrowserError): error is AuthError {
  return 'status' in error
}
