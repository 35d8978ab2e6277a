import type { Trx } from '#app/platform/database/db.server.ts'
import { businessAddress } from '#app/auth/users/business-address.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { acknowledgementEmail } from './acknowledgement.email.tsx'
import { storedEnquiry } from './lead-fields.ts'
import { newLeadEmail } from './new-lead.email.tsx'

/** A clean enquiry sends two emails, the reference to the visitor and the news to the business, and a notification to staff. */
export async function enqueueLeadEmails(
  trx: Trx,
  contact: Row<'contacts'>,
  owner: string | null,
  { acknowledge = true } = {},
): Promise<void> {
  const { id, reference, name, email, serviceType, budget, timeframe, createdAt, promisedFrom } = contact
  const moments = { receivedAt: createdAt.toISOString(), promisedFrom: promisedFrom.toISOString() }
  const toVisitor = acknowledgementEmail(email, { reference, name, serviceType, budget, timeframe, ...moments })
  const toBusiness = newLeadEmail(businessAddress(owner), { id, reference, ...storedEnquiry.parse(contact) })
  const notice = notificationJob({
    kind: 'lead',
    title: `New enquiry from ${name}`.slice(0, 200),
    body: [serviceType, reference].filter(Boolean).join(' · '),
    link: `/dashboard?contact=${id}`,
    subjectId: id,
    dedupeKey: `lead:${id}`,
    to: { roles: ['staff', 'owner'] },
  })
  await enqueue(trx, ...(acknowledge ? [toVisitor] : []).map(emailJob), emailJob(toBusiness), notice)
}
