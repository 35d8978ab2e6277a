import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

/** Methods of the second factor. A session is `aal2` while its `amr` holds one of them. */
export const mfaMethods = ['totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code'] as const

export type MfaFactorMethod = (typeof mfaMethods)[number]

export function isMfaMethod(method: string): boolean {
  return mfaMethods.some((step) => step === method)
}

/** Refuses users who have a second factor and have not used it in this session. */
export async function requireMfa(connection: Database | Trx, { id, aal }: { id: string; aal: string }): Promise<void> {
  if (aal !== 'aal2' && (await hasVerifiedFactor(connection, id))) refuse('insufficient_aal')
}
