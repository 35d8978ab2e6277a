import { apiRequest, ApiError } from '#app/platform/browser/api.ts'
import { asMember, type Failure, restoreSession } from './auth.ts'
import { errorOf } from './session-over.ts'
import { freeName } from './factor-name.ts'

type Done = Promise<{ failure?: Failure }>

/** An unfinished authenticator: its secret, as a QR code and as text. */
export type NewAuthenticator = { id: string; qrCode: string; secret: string }

/** A verified second factor of the signed-in person. */
export type OwnFactor = {
  id: string
  name: string
  createdAt: string
  kind: 'app' | 'phone' | 'key'
  /** With plus; `undefined` unless it is a phone. */
  phone: string | undefined
}

export async function listOwnFactors(): Promise<OwnFactor[]> {
  let found: OwnFactor[] | undefined
  const { failure } = await asMember('Your second factors could not be loaded', async (auth) => {
    const { data, error } = await auth.mfa.listFactors()
    const factors = data?.all.filter(({ status }) => status === 'verified')
    found = factors?.map((factor) => ({
      id: factor.id,
      name: nameOf(factor),
      createdAt: factor.created_at,
      kind: kindOf(factor.factor_type),
      phone: phoneOf(factor),
    }))
    return { error }
  })
  if (failure) throw errorOf(failure)
  return found ?? []
}

function nameOf({ friendly_name: name, factor_type: type }: { friendly_name?: string; factor_type: string }): string {
  return name || names[kindOf(type)]
}

const names = { app: 'Authenticator', phone: 'Phone', key: 'Security key' }

function kindOf(type: string): OwnFactor['kind'] {
  if (type === 'webauthn') return 'key'
  return type === 'phone' ? 'phone' : 'app'
}

/** The client's types omit the number of a phone factor. */
function phoneOf(factor: object): string | undefined {
  return 'phone' in factor && typeof factor.phone === 'string' && factor.phone !== '' ? `+${factor.phone.replace('+', '')}` : undefined
}

/** Verifies an authenticator's code; the first time also finishes its enrollment. */
export function verifyMfa(factorId: string, code: string): Done {
  return asMember('The code could not be checked', (auth) => auth.mfa.challengeAndVerify({ factorId, code }))
}

/** The same with a recovery code; this document's client then loads the new session. */
export async function passWithRecoveryCode(code: string): Done {
  try {
    await apiRequest('POST', '/api/account/recovery-codes/use', { code })
    await restoreSession()
    return {}
  } catch (error) {
    const message = error instanceof ApiError ? error.detail : 'The code could not be checked'
    return { failure: { message, code: error instanceof ApiError ? error.problem?.code : undefined } }
  }
}

/** Under a name that no other factor has, including unfinished ones. */
export async function beginAuthenticator(): Promise<{ begun?: NewAuthenticator; failure?: Failure }> {
  let begun: NewAuthenticator | undefined
  const { failure } = await asMember('The authenticator could not be added', async (auth) => {
    const listed = await auth.mfa.listFactors()
    const friendlyName = freeName(listed.data?.all.map((factor) => factor.friendly_name ?? '') ?? [], 'Authenticator')
    const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName })
    if (data) begun = { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret }
    return { error }
  })
  if (failure) return { failure }
  return begun ? { begun } : {}
}

export function requestFactorRemoval(factorId: string): Done {
  return asMember('It could not be removed', (auth) => auth.mfa.unenroll({ factorId }))
}
