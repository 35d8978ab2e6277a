import type { Trx } from '#app/platform/database/db.server.ts'
import { emitNothing, emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'

type Created = { id: string; email: string | null; emailConfirmedAt: Date | null; createdAt: Date }

/**
 * Tells other programs of a new account. An address without proof may be another person's, so it is left out. Without a new account, because
 * the address has one, the statements are the same: their number must not show whether it has.
 */
export async function emitNewAccount(trx: Trx, created: Created | undefined): Promise<void> {
  if (!created) return emitNothing(trx, 'user.created')
  const { id, email, emailConfirmedAt, createdAt } = created
  const data = { id, email: emailConfirmedAt ? email : null, createdAt: createdAt.toISOString() }
  await emitWebhook(trx, 'user.created', () => [{ subjectId: id, data }])
}
