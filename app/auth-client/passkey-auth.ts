import type { AuthError } from '@supabase/auth-js'
import { asMember, asVisitor, type Auth, type Failure, lacksSecondStep } from './auth.ts'
import { errorOf } from './session-over.ts'
import type { Chosen } from './passkey-autofill.ts'
import { freeName } from './factor-name.ts'

type Done = Promise<{ failure?: Failure }>
type Signed = Promise<{ failure?: Failure; isHalfway?: boolean }>

/** A passkey of one's own. `isSynced`: a service keeps a copy, so that other devices of its holder have it too. */
export type OwnPasskey = { id: string; name: string; createdAt: string; lastUsedAt: string | undefined; isSynced: boolean }

/** The code of a failure that is no fault: the person has closed the browser's dialog, or let it time out. */
export const CANCELED = 'canceled'

export async function listOwnPasskeys(): Promise<OwnPasskey[]> {
  let found: OwnPasskey[] = []
  const { failure } = await asMember('Your passkeys could not be read', async (auth) => {
    const { data, error } = await auth.passkey.list()
    found = (data ?? []).map((passkey) => ({
      id: passkey.id,
      name: passkey.friendly_name || 'Passkey',
      createdAt: passkey.created_at,
      lastUsedAt: passkey.last_used_at,
      isSynced: 'backed_up' in passkey && passkey.backed_up === true,
    }))
    return { error }
  })
  if (failure) throw errorOf(failure)
  return found
}

/** Lets the browser make a passkey, which then signs in to this account. */
export function addPasskey(): Done {
  return withKey('The passkey could not be added', asMember, (auth) => auth.registerPasskey())
}

export function renamePasskey(passkeyId: string, friendlyName: string): Done {
  return asMember('The passkey could not be renamed', (auth) => auth.passkey.update({ passkeyId, friendlyName }))
}

export function removePasskey(passkeyId: string): Done {
  return asMember('The passkey could not be removed', (auth) => auth.passkey.delete({ passkeyId }))
}

/** Signs in with a passkey that the person chooses in the browser's dialog. */
export async function signInWithPasskey(): Signed {
  let isHalfway = false
  const { failure } = await withKey('Sign in failed', asVisitor, async (auth) => {
    const { data, error } = await auth.signInWithPasskey()
    isHalfway = lacksSecondStep(data?.user ?? null)
    return { error }
  })
  return failure ? { failure } : { isHalfway }
}

/** The same with one that was chosen among the suggestions for the email field. */
export async function signInWithChosen(chosen: Chosen): Signed {
  let isHalfway = false
  const { failure } = await withKey('Sign in failed', asVisitor, async (auth) => {
    const { data, error } = await auth.passkey.verifyAuthentication(chosen)
    isHalfway = lacksSecondStep(data?.user ?? null)
    return { error }
  })
  return failure ? { failure } : { isHalfway }
}

/** Adds a security key as a second factor. One that was begun and not finished is taken away again. */
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

/** Takes the second step of a sign-in with a security key. */
export function passWithSecurityKey(factorId: string): Done {
  return withKey('The security key could not be checked', asMember, (auth) => auth.mfa.webauthn.authenticate({ factorId }))
}

/** What a browser says when it has no key to give, by the names of its errors. */
const sentences: Record<string, string> = {
  InvalidStateError: 'This device already holds a passkey for your account.',
  SecurityError: 'Passkeys only work at the main address of this site.',
  ConstraintError: 'This device can’t check who uses it. Set up a PIN, fingerprint or face unlock first.',
}

type Access = typeof asMember
type BrowserError = { name: string }

/** Does what needs an authenticator. What the service refuses has its own words; what the browser refuses gets ours. */
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
