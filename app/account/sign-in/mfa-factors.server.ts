import type { UsableFactor } from '#app/account/account-kind.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { MfaFactor } from './mfa-methods.ts'
import { endOfNumber } from './phone-mfa.ts'

/** The verified factors that are enabled here. */
export async function listMfaFactors(currentUser: CurrentUser, requestContext: RequestContext): Promise<MfaFactor[]> {
  return (await accounts.listFactors(currentUser, requestContext)).map(stepFactor)
}

function stepFactor({ id, name, type, phone }: UsableFactor): MfaFactor {
  if (type === 'phone') return { id, name: name || 'Phone', phoneEnd: endOfNumber(phone ?? '') }
  if (type === 'webauthn') return { id, name: name || 'Security key', isKey: true }
  return { id, name: name || 'Authenticator' }
}
