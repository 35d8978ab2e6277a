import { apiRequest, ApiError } from '#app/platform/browser/api.ts'
import { asMember, type Failure, restoreSession, freeName } from './auth.ts'

type Done = Promise<{ failure?: Failure }>

/** An unfinished authenticator: its secret, as a QR code and as text. */
export type NewAuthenticator = { id: string; qrCode: string; secret: string }

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
