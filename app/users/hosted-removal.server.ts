import { z } from 'zod'
import { askAsAdmin } from '#app/hosted/project.server.ts'
import { type Actor, audit, by, eraseAddresses } from '#app/identity/audit.server.ts'
import { keepAnOwner } from '#app/identity/last-owner.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue, JobFailure } from '#app/platform/jobs.server.ts'
import { removeDataAccess } from './remove-data-access.server.ts'

const JOB = 'hosted-account-removal'

/** Whether we can delete an account at the hosted service as well: only its secret key lets us. */
export const deletesElsewhere = env.SUPABASE_SECRET_KEY !== undefined

/** Here at once and for good. What stays for a while is the number, so that nobody comes back by an old token. The last owner cannot go. */
export async function forgetAccount(trx: Trx, id: string, actor: Actor): Promise<void> {
  await keepAnOwner(trx, id, 'hosted_accounts')
  const now = new Date()
  for (const table of ['avatars', 'accountDeletions'] as const) await trx.deleteFrom(table).where('userId', '=', id).execute()
  await removeDataAccess(trx, id)
  await eraseAddresses(trx, id)
  await trx.updateTable('hostedSessions').set({ endedAt: now, userAgent: null, address: null }).where('accountId', '=', id).execute()
  await trx
    .updateTable('hostedAccounts')
    .set({ email: null, emailConfirmedAt: null, role: 'customer', userMetadata: '{}', deletedAt: now })
    .where('id', '=', id)
    .execute()
  await audit(trx, 'user_deleted', { ...by(actor), subjectId: id })
}

/** The same at the hosted service, where we may: as soon as it answers. */
export async function removeElsewhere(trx: Trx, id: string): Promise<void> {
  if (deletesElsewhere) await enqueue(trx, { kind: JOB, payload: { id } })
}

/** Answers whether it is gone there. Gone already is as good. */
export async function isRemovedElsewhere(id: string): Promise<boolean> {
  const { status } = await askAsAdmin({ method: 'DELETE', path: `/admin/users/${id}` })
  return status === 200 || status === 204 || status === 404
}

defineJob(JOB, z.object({ id: z.guid() }), async ({ id }) => {
  if (!(await isRemovedElsewhere(id))) throw new JobFailure('The hosted auth service did not delete an account.')
})
