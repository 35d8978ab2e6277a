import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { GRACE_DAYS } from './deletion.ts'
import { accountDeletedEmail } from './account-deleted.email.tsx'
import { deletionAskedEmail } from './deletion-asked.email.tsx'
import { deletionRefusedEmail } from './deletion-refused.email.tsx'
import { accounts } from '#app/account/accounts.server.ts'
import { isLastOwner } from '#app/auth/users/last-owner.server.ts'
import { findObstacle, type LeavingObstacle } from './leaving-check.server.ts'

const GRACE_MS = GRACE_DAYS * 24 * 3_600_000
const JOB = 'account-deletion'

/** When this account will be deleted, if a deletion is pending. */
export async function findDeletion(userId: string): Promise<Date | undefined> {
  const row = await db.selectFrom('accountDeletions').select('dueAt').where('userId', '=', userId).executeTakeFirst()
  return row?.dueAt
}

/**
 * Schedules the deletion and confirms it by email if the account has an address; `phone` is the number that a hosted service knows. A
 * second request keeps the first date. Stops for another person's address, for the last owner, and where another area has an obstacle.
 */
export async function requestDeletion(userId: string, { confirm, phone }: { confirm: string; phone?: string | undefined }): Promise<Date> {
  return transaction(async (trx) => {
    const user = (await accounts.lock(trx, userId)) ?? stop('notFound', 'This account no longer exists.')
    refuseOther({ email: user.email, phone: user.phone ?? phone ?? '' }, confirm)
    const pending = await trx.selectFrom('accountDeletions').select('dueAt').where('userId', '=', userId).executeTakeFirst()
    if (pending) return pending.dueAt
    const obstacle = await obstacleOf(trx, userId)
    if (obstacle) stop('conflict', obstacle.sentence, { code: obstacle.code })
    const dueAt = new Date(Date.now() + GRACE_MS)
    await trx.insertInto('accountDeletions').values({ userId, dueAt }).execute()
    await enqueue(trx, { kind: JOB, payload: { userId }, runAt: dueAt })
    await audit(trx, 'account_deletion_requested', { actorId: userId, subjectId: userId })
    if (user.email) await enqueueEmail(trx, deletionAskedEmail(user.email, { at: dueAt.toISOString() }))
    return dueAt
  })
}

/** The obstacle to deleting this account, shown before the person asks. */
export async function findDeletionObstacle(userId: string): Promise<LeavingObstacle | undefined> {
  return transaction((trx) => obstacleOf(trx, userId))
}

const LAST_OWNER = {
  code: 'last_owner',
  sentence: 'You are the only owner of this installation. Make someone else an owner first.',
  path: '/admin/users',
  label: 'Go to users',
}

async function obstacleOf(trx: Trx, userId: string): Promise<LeavingObstacle | undefined> {
  return (await isLastOwner(trx, userId)) ? LAST_OWNER : findObstacle(trx, userId)
}

/** Cancels the deletion. Returns `false` when there was none. */
export async function cancelDeletion(userId: string): Promise<boolean> {
  return transaction(async (trx) => {
    await accounts.lock(trx, userId)
    const { numDeletedRows } = await trx.deleteFrom('accountDeletions').where('userId', '=', userId).executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await audit(trx, 'account_deletion_taken_back', { actorId: userId, subjectId: userId })
    return true
  })
}

// A canceled deletion leaves a job that finds nothing to do.
defineJob(JOB, z.object({ userId: z.string() }), async ({ userId }) => transaction((trx) => deleteIfDue(trx, userId)))

async function deleteIfDue(trx: Trx, userId: string): Promise<object> {
  const user = await accounts.lock(trx, userId)
  const due = await trx
    .deleteFrom('accountDeletions')
    .where('userId', '=', userId)
    .where('dueAt', '<=', new Date())
    .returning('userId')
    .executeTakeFirst()
  if (!due || !user) return { deleted: false }
  const obstacle = await obstacleOf(trx, userId)
  if (obstacle) {
    await audit(trx, 'account_deletion_refused', { subjectId: userId, detail: { reason: obstacle.code.replaceAll('_', ' ') } })
    if (user.email) await enqueueEmail(trx, deletionRefusedEmail(user.email, obstacle))
    return { deleted: false }
  }
  await accounts.remove(trx, userId)
  if (user.email) await enqueueEmail(trx, accountDeletedEmail(user.email, { remainsElsewhere: accounts.remainsElsewhere }))
  return { deleted: true }
}

/** An account without an address confirms with its phone number, in any notation. */
function refuseOther({ email, phone }: { email: string | null; phone: string }, confirm: string): void {
  if (email && confirm.toLowerCase() !== email.toLowerCase())
    stop('unprocessable', 'This is not the address of your account.', { code: 'not_confirmed' })
  if (!email && digitsOf(confirm) !== digitsOf(phone))
    stop('unprocessable', 'This is not the phone number of your account.', { code: 'not_confirmed' })
}

function digitsOf(number: string): string {
  return number.replaceAll(/[\s+()./-]/g, '')
}
