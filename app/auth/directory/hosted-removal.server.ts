import { z } from 'zod'
import { callProjectAsAdmin } from '#app/auth/hosted/project.server.ts'
import { type Actor, audit, by, eraseAddresses } from '#app/auth/users/audit.server.ts'
import { clearAuthorPages } from '#app/auth/users/author-pages.server.ts'
import { keepAnOwner } from '#app/auth/users/last-owner.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob, enqueue, JobFailure } from '#app/platform/jobs.server.ts'
import { removeDataAccess } from './remove-data-access.server.ts'

const JOB = 'hosted-account-removal'

/** Only the secret key lets us delete accounts at the hosted service. */
export const deletesElsewhere = env.SUPABASE_SECRET_KEY !== undefined

/** Deletes the account here. Its id stays for a while, so that old tokens stay invalid. The last owner cannot be deleted. */
export async function forgetAccount(trx: Trx, id: string, actor: Actor): Promise<void> {
  await keepAnOwner(trx, id)
  await clearAuthorPages(trx, id)
  const now = new Date()
  for (const table of [
    'avatars',
    'accountDeletions',
    'notifications',
    'notificationPreferences',
    'pushSubscriptions',
    'hiddenFirstSteps',
    'leadSignatures',
    'leadColumns',
  ] as const)
    await trx.deleteFrom(table).where('userId', '=', id).execute()
  await removeDataAccess(trx, id)
  await eraseAddresses(trx, id)
  await trx.updateTable('hostedSessions').set({ endedAt: now, userAgent: null, address: null }).where('accountId', '=', id).execute()
  await trx
    .updateTable('hostedAccounts')
    .set({ email: null, emailConfirmedAt: null, role: 'customer', userMetadata: '{}', cameFrom: null, deletedAt: now })
    .where('id', '=', id)
    .execute()
  await audit(trx, 'user_deleted', { ...by(actor), subjectId: id })
}

/** Deletes the account at the hosted service by a job, if we have the key. */
export async function removeElsewhere(trx: Trx, id: string): Promise<void> {
  if (deletesElsewhere) await enqueue(trx, { kind: JOB, payload: { id } })
}

/** Returns whether the account is gone there. An account that was gone before counts as well. */
export async function isRemovedElsewhere(id: string): Promise<boolean> {
  const { status } = await callProjectAsAdmin({ method: 'DELETE', path: `/admin/users/${id}` })
  return status === 200 || status === 204 || status === 404
}

defineJob(JOB, z.object({ id: z.guid() }), async ({ id }) => {
  if (!(await isRemovedElsewhere(id))) throw new JobFailure('The hosted auth service did not delete an account.')
})
