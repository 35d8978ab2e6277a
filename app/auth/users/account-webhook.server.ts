import type { Trx } from '#app/platform/database/db.server.ts'
import { emitWebhook } from '#app/platform/webhook-event.server.ts'

type Created = { id: string; email: string | null; emailConfirmedAt: Date | null; createdAt: Date }

/** Tells other programs of a new account. An address without proof may be another person's, so it is left out. */
export async function emitNewAccount(trx: Trx, { id, email, emailConfirmedAt, createdAt }: Created): Promise<void> {
  const data = { id, email: emailConfirmedAt ? email : null, createdAt: createdAt.toISOString() }
  await emitWebhook(trx, 'user.created', () => [{ subjectId: id, data }])
}
