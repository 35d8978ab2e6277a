import type { Database, Trx } from '#app/platform/db.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

/** What proves more than the first step of a sign-in. A session is `aal2` while its `amr` holds one of these. */
export const secondSteps = ['totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code'] as const

export type SecondStep = (typeof secondSteps)[number]

export function isSecondStep(method: string): boolean {
  return secondSteps.some((step) => step === method)
}

/** Stops who has a second factor and has come here without it. */
export async function requireSecondStep(connection: Database | Trx, { id, aal }: { id: string; aal: string }): Promise<void> {
  if (aal !== 'aal2' && (await hasVerifiedFactor(connection, id))) refuse('insufficient_aal')
}
