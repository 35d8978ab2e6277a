import { z } from 'zod'
import { audit } from '#app/identity/audit.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/stop.ts'
import { GRACE_DAYS } from './deletion.ts'
import { accountDeletedLetter } from './account-deleted.email.tsx'
import { deletionAskedLetter } from './deletion-asked.email.tsx'
import { deletionRefusedLetter } from './deletion-refused.email.tsx'
import { leaving, remainsElsewhere } from './leaver.server.ts'

const GRACE_MS = GRACE_DAYS * 24 * 3_600_000
const JOB = 'account-deletion'

/** When this account will be deleted, if its person has asked for that. */
export async function findDeletion(userId: string): Promise<Date | undefined> {
  const row = await db.selectFrom('accountDeletions').select('dueAt').where('userId', '=', userId).executeTakeFirst()
  return row?.dueAt
}

/**
 * Notes that someone wants their account deleted, and tells them by letter where they have an address; `phone` is the number that a hosted service knows. Asked for twice, the first date stands. Stops for an address that
 * is not theirs, and for the last owner: an installation without one would be nobody's.
 */
export async function askDeletion(userId: string, { confirm, phone }: { confirm: string; phone?: string }): Promise<Date> {
  return transaction(async (trx) => {
    const user = (await leaving.lock(trx, userId)) ?? stop('notFound', 'This account is gone.')
    refuseOther({ email: user.email, phone: user.phone ?? phone ?? '' }, confirm)
    const pending = await trx.selectFrom('accountDeletions').select('dueAt').where('userId', '=', userId).executeTakeFirst()
    if (pending) return pending.dueAt
    if (await leaving.isLastOwner(trx, userId)) stop('conflict', LAST_OWNER, { code: 'last_owner' })
    const dueAt = new Date(Date.now() + GRACE_MS)
    await trx.insertInto('accountDeletions').values({ userId, dueAt }).execute()
    await enqueue(trx, { kind: JOB, payload: { userId }, runAt: dueAt })
    await audit(trx, 'account_deletion_requested', { actorId: userId, subjectId: userId })
    if (user.email) await post(trx, deletionAskedLetter(user.email, { at: dueAt.toISOString() }))
    return dueAt
  })
}

const LAST_OWNER = 'You are the only owner of this installation. Make someone else an owner first.'

/** Takes the wish back. Answers `false` when there was none. */
export async function keepAccount(userId: string): Promise<boolean> {
  return transaction(async (trx) => {
    await leaving.lock(trx, userId)
    const { numDeletedRows } = await trx.deleteFrom('accountDeletions').where('userId', '=', userId).executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await audit(trx, 'account_deletion_taken_back', { actorId: userId, subjectId: userId })
    return true
  })
}

// A wish that was taken back leaves a job that finds nothing to do.
defineJob(JOB, z.object({ userId: z.string() }), async ({ userId }) => transaction((trx) => deleteIfDue(trx, userId)))

async function deleteIfDue(trx: Trx, userId: string): Promise<object> {
  const user = await leaving.lock(trx, userId)
  const due = await trx
    .deleteFrom('accountDeletions')
    .where('userId', '=', userId)
    .where('dueAt', '<=', new Date())
    .returning('userId')
    .executeTakeFirst()
  if (!due || !user) return { deleted: false }
  if (await leaving.isLastOwner(trx, userId)) {
    await audit(trx, 'account_deletion_refused', { subjectId: userId, detail: { reason: 'last owner' } })
    if (user.email) await post(trx, deletionRefusedLetter(user.email, {}))
    return { deleted: false }
  }
  await leaving.remove(trx, userId)
  if (user.email) await post(trx, accountDeletedLetter(user.email, { remainsElsewhere }))
  return { deleted: true }
}

/** Who has no address confirms with the number that they sign in with, written in whatever way. */
function refuseOther({ email, phone }: { email: string | null; phone: string }, confirm: string): void {
  if (email && confirm.toLowerCase() !== email.toLowerCase())
    stop('unprocessable', 'This is not the address of your account.', { code: 'not_confirmed' })
  if (!email && digitsOf(confirm) !== digitsOf(phone))
    stop('unprocessable', 'This is not the phone number of your account.', { code: 'not_confirmed' })
}

function digitsOf(number: string): string {
  return number.replaceAll(/[\s+]/g, '')
}
