import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { emitProposal } from './proposal-event.server.ts'
import { proposalReminderEmail } from './proposal.email.tsx'
import { lockProposal, titleOf } from './proposal.server.ts'
import { stateAt } from './public-proposal.server.ts'

const DAY = 86_400_000
/** Days after sending. */
const REMINDERS = [2, 5] as const
const BATCH = 200

/** Ends proposals whose last day is over, and reminds of the others. Two processes, or a killed one, do each once. */
export async function tendProposals(at = new Date()): Promise<void> {
  const rows = await db
    .selectFrom('proposals')
    .select('id')
    .where('state', '=', 'sent')
    .where((row) =>
      row.or([
        row('validUntil', '<=', at),
        ...REMINDERS.map((days, sent) => row.and([row('reminders', '=', sent), row('sentAt', '<=', new Date(at.getTime() - days * DAY))])),
      ]),
    )
    .orderBy('validUntil')
    .limit(BATCH)
    .execute()
  let count = 0
  for (const { id } of rows) if (await transaction((trx) => tend(trx, id, at))) count += 1
  if (count > 0) announceLeads()
}

async function tend(trx: Trx, id: string, at: Date): Promise<boolean> {
  const row = await lockProposal(trx, id)
  if (row.state !== 'sent') return false
  if (stateAt(row, at) === 'expired') {
    const expired = await trx
      .updateTable('proposals')
      .set({ state: 'expired', settledAt: now, codeMac: null, updatedAt: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(trx, 'proposal_expired', { subjectId: row.contactId ?? undefined, detail: { proposal: row.reference, number: row.number } })
    if (row.contactId) await noteLeadEvent(trx, { contactId: row.contactId, kind: 'proposal_expired', detail: { title: titleOf(row) } })
    await emitProposal(trx, 'proposal.expired', expired)
    return true
  }
  return remind(trx, row, at)
}

/** Who waits for an answer of ours is not reminded. */
async function remind(trx: Trx, row: Awaited<ReturnType<typeof lockProposal>>, at: Date): Promise<boolean> {
  const { id, contactId, sentAt, sentTo, reminders, reference, number, content } = row
  const passed = sentAt ? REMINDERS.filter((days) => sentAt.getTime() + days * DAY <= at.getTime()).length : 0
  if (passed <= reminders || !contactId || !sentTo) return false
  const waiting = await trx
    .selectFrom('proposalQuestions')
    .select('id')
    .where('proposalId', '=', id)
    .where('answeredAt', 'is', null)
    .executeTakeFirst()
  if (waiting) return false
  await trx.updateTable('proposals').set({ reminders: passed }).where('id', '=', id).execute()
  const { name } = await trx.selectFrom('contacts').select('name').where('id', '=', contactId).executeTakeFirstOrThrow()
  const told = { id, name, title: content.title, reference, number, validUntil: content.validUntil }
  await enqueueEmail(trx, { ...proposalReminderEmail(sentTo, told), contactId })
  await noteLeadEvent(trx, { contactId, kind: 'proposal_reminded', detail: { title: titleOf(row) } })
  return true
}

defineJob('proposals.tend', z.unknown(), () => tendProposals(), { every: 'hour' })
