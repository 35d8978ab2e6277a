import type { Database, Trx } from '#app/platform/db.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { hasVerifiedFactor } from './user-factors.server.ts'

/** Stops who has a second factor and has come here without it. */
export async function requireSecondStep(connection: Database | Trx, { id, aal }: { id: string; aal: string }): Promise<void> {
  if (aal !== 'aal2' && (await hasVerifiedFactor(connection, id))) refuse('insufficient_aal')
}
