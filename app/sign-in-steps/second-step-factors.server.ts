import type { Viewer } from '#app/account/viewer.ts'
import { accessTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { findHostedUser } from '#app/hosted/hosted-user.server.ts'
import { endOfNumber } from '#app/phone-step/phone-step.ts'
import { db } from '#app/platform/db.server.ts'
import { servesKeyFactors } from '#app/passkey/relying-party.server.ts'
import { env, isHosted } from '#app/platform/env.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { listFactors } from '#app/session/user-factors.server.ts'
import type { SecondStepFactor } from './second-step-ways.ts'

/** The factors that count and that can be answered here. */
export async function listStepFactors(viewer: Viewer, visit: Visit): Promise<SecondStepFactor[]> {
  const factors = isHosted ? await listHosted(visit) : await listEmbedded(viewer)
  return factors.filter(({ type }) => isServed(type)).map(({ id, name, type, phone }) => stepFactor(id, name, type, phone))
}

function stepFactor(id: string, name: string | null | undefined, type: string, phone: string | null | undefined): SecondStepFactor {
  if (type === 'phone') return { id, name: name || 'Phone', phoneEnd: endOfNumber(phone ?? '') }
  if (type === 'webauthn') return { id, name: name || 'Security key', isKey: true }
  return { id, name: name || 'Authenticator' }
}

async function listEmbedded({ id: userId }: Viewer) {
  const factors = await listFactors(db, userId)
  const counting = factors.filter(({ status }) => status === 'verified')
  return counting.map(({ id, friendlyName: name, factorType: type, phone }) => ({ id, name, type, phone }))
}

async function listHosted(visit: Visit) {
  const { factors } = await findHostedUser(accessTokenOf(visit), clientOf(visit))
  const counting = (factors ?? []).filter(({ status }) => status === 'verified')
  return counting.map(({ id, friendly_name: name, factor_type: type, phone }) => ({ id, name, type, phone }))
}

/** What a hosted service lets people use, it says itself when it is asked. */
function isServed(type: string): boolean {
  if (type === 'phone') return isHosted || env.MFA_PHONE_VERIFY_ENABLED
  if (type === 'webauthn') return isHosted || servesKeyFactors().verify
  return type === 'totp' && (isHosted || env.MFA_TOTP_VERIFY_ENABLED)
}
