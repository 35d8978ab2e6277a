import { z } from 'zod'
import { onRefusedAddress } from '#app/mail/email.server.ts'
import { listFailedEmails } from '#app/mail/emails.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { condition, now } from '#app/platform/database/sql.server.ts'
import { defineJob, onFailedJob } from '#app/platform/jobs.server.ts'
import { noteLeadEvent } from './lead-event.server.ts'
import { announceLeads } from './lead-signal.server.ts'

/** Replies of staff show in the timeline themselves whether they were sent. */
const REPLY = 'lead-reply'

// An address that the mail server refuses immediately is marked like one whose email came back.
onRefusedAddress(async ({ to, reason }) => {
  await db.updateTable('people').set({ bouncedAt: now, bounceReason: reason }).where('email', '=', to).execute()
  announceLeads()
})

/** Adds emails that failed to the timeline of their leads, once for each failure, also where a killed process could not. */
async function noteFailedEmails(): Promise<void> {
  const count = await transaction(async (trx) => {
    const failed = (await listFailedEmails(trx)).filter(({ contactId, kind }) => contactId !== undefined && kind !== REPLY)
    let noted = 0
    for (const { id, contactId = '', to, kind, subject, attempts, reason } of failed) {
      const failure = JSON.stringify({ emailId: id, attempts })
      const lead = await trx
        .selectFrom('contacts')
        .select('id')
        .where('id', '=', contactId)
        .where(
          condition`NOT EXISTS (SELECT FROM lead_events WHERE contact_id = contacts.id AND kind = 'email_failed' AND detail @> ${failure}::jsonb)`,
        )
        .executeTakeFirst()
      if (!lead) continue
      const detail = { emailId: id, attempts, title: subject ?? kind, text: `To ${to}. ${reason ?? ''}`.trim() }
      await noteLeadEvent(trx, { contactId, kind: 'email_failed', detail })
      noted += 1
    }
    return noted
  })
  if (count > 0) announceLeads()
}

onFailedJob(EMAIL_JOB, noteFailedEmails)
defineJob('leads.note-failed-emails', z.unknown(), noteFailedEmails, { every: 'hour' })
