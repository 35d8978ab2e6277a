import { sql } from 'kysely'
import { z } from 'zod'
import { answerBy, unanswerBy } from '#app/leads/lead/lead-status.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { defineJob, onFailedJob } from '#app/platform/jobs.server.ts'

/** The key of the outbox's job for a reply: there is at most one. */
export const replyJobKey = (messageId: string) => `reply:${messageId}`

/** Marks a reply as sent. One that had failed, and was retried in the list of emails, counts as the answer again. */
export async function noteDelivered(id: string): Promise<void> {
  await transaction((trx) => deliver(trx, id))
  announceLeads()
}

async function deliver(trx: Trx, id: string): Promise<void> {
  const before = await trx.selectFrom('leadMessages').select('state').where('id', '=', id).forUpdate().executeTakeFirst()
  if (before?.state !== 'sending' && before?.state !== 'failed') return
  const { contactId, authorId } = await trx
    .updateTable('leadMessages')
    .set({ state: 'sent', error: null })
    .where('id', '=', id)
    .returning(['contactId', 'authorId'])
    .executeTakeFirstOrThrow()
  if (before.state === 'failed' && contactId && authorId) await countAsAnswer(trx, { id, contactId, authorId })
}

type Sent = { id: string; contactId: string; authorId: string }

/** Ends the clocks of the lead with this reply, if it is the first. Its event remembers that, so that a failure can undo it. */
export async function countAsAnswer(trx: Trx, { id, contactId, authorId }: Sent): Promise<void> {
  const answeredAt = await answerBy(trx, contactId, authorId)
  if (!answeredAt) return
  await trx
    .updateTable('leadEvents')
    .set({ detail: JSON.stringify({ answeredAt: answeredAt.toISOString() }) })
    .where('messageId', '=', id)
    .where('kind', '=', 'email_sent')
    .execute()
}

const settledReply = { id: z.string(), isDone: z.boolean(), error: z.string().nullable() }

/** Settles replies whose job in the outbox has ended, also where the process was killed before it could say so. */
async function settleReplies(): Promise<void> {
  const count = await transaction(async (trx) => {
    const rows = await queryRows(
      trx,
      settledReply,
      sql`SELECT message.id, jobs.done_at IS NOT NULL AS is_done, jobs.last_error AS error
        FROM lead_messages AS message JOIN jobs ON jobs.dedupe_key = ${replyJobKey('')} || message.id
        WHERE message.state = 'sending' AND jobs.kind = ${EMAIL_JOB} AND (jobs.done_at IS NOT NULL OR jobs.failed_at IS NOT NULL)
        ORDER BY message.id FOR UPDATE OF message`,
    )
    for (const { id, isDone, error } of rows) await (isDone ? deliver(trx, id) : fail(trx, id, error))
    return rows.length
  })
  if (count > 0) announceLeads()
}

/** Nobody has got an answer, so the clocks run on as if it had never been sent. */
async function fail(trx: Trx, id: string, error: string | null): Promise<void> {
  const { contactId, authorId } = await trx
    .updateTable('leadMessages')
    .set({ state: 'failed', error: error ?? 'It could not be sent.' })
    .where('id', '=', id)
    .returning(['contactId', 'authorId'])
    .executeTakeFirstOrThrow()
  const event = await trx
    .selectFrom('leadEvents')
    .select('detail')
    .where('messageId', '=', id)
    .where('kind', '=', 'email_sent')
    .executeTakeFirst()
  const answeredAt = event?.detail['answeredAt']
  if (contactId && authorId && typeof answeredAt === 'string') await unanswerBy(trx, contactId, answeredAt, authorId)
}

onFailedJob(EMAIL_JOB, settleReplies)
defineJob('leads.settle-replies', z.unknown(), settleReplies, { every: 'quarter' })
