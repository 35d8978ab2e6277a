import type { CurrentUser } from '#app/account/session/current-user.ts'
import { accessTokenOf, clientOf } from '#app/auth/http/bearer.server.ts'
import { findHostedUser } from '#app/auth/hosted/hosted-user.server.ts'
import { endOfNumber } from './phone-mfa.ts'
import { db } from '#app/platform/database/db.server.ts'
import { servesKeyFactors } from '#app/auth/mfa/relying-party.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { listFactors } from '#app/auth/sessions/user-factors.server.ts'
import type { MfaFactor } from './mfa-methods.ts'

/** The verified factors that are enabled here. */
export async function listMfaFactors(currentUser: CurrentUser, requestContext: RequestContext): Promise<MfaFactor[]> {
  const factors = isHosted ? await listHosted(requestContext) : await listEmbedded(currentUser)
  return factors.filter(({ type }) => isServed(type)).map(({ id, name, type, phone }) => stepFactor(id, name, type, phone))
}

function stepFactor(id: string, name: string | null | undefined, type: string, phone: string | null | undefined): MfaFactor {
  if (type === 'phone') return { id, name: name || 'Phone', phoneEnd: endOfNumber(phone ?? '') }
  if (type === 'webauthn') return { id, name: name || 'Security key', isKey: true }
  return { id, name: name || 'Authenticator' }
}

async function listEmbedded({ id: userId }: CurrentUser) {
  const factors = await listFactors(db, userId)
  const counting = factors.filter(({ status }) => status === 'verified')
  return counting.map(({ id, friendlyName: name, factorType: type, phone }) => ({ id, name, type, phone }))
}

async function listHosted(requestContext: RequestContext) {
  const { factors } = await findHostedUser(accessTokenOf(requestContext), clientOf(requestContext))
  const counting = (factors ?? []).filter(({ status }) => status === 'verified')
  return counting.map(({ id, friendly_name: name, factor_type: type, phone }) => ({ id, name, type, phone }))
}

/** A hosted service reports its enabled factors itself. */
function isServed(type: string): boolean {
  if (type === 'phone') return isHosted || env.MFA_PHONE_VERIFY_ENABLED
  if (type === 'webauthn') return isHosted || servesKeyFactors().verify
  return type === 'totp' && (isHosted || env.MFA_TOTP_VERIFY_ENABLED)
}
