import type { Trx } from '#app/platform/database/db.server.ts'
import { businessAddress } from '#app/auth/users/account.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { hasListener } from '#app/platform/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import { characterCount } from '#app/platform/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { acknowledgementEmail } from './acknowledgement.email.tsx'
import { callUrlOf } from './call-link.server.ts'
import { deadlinesBy } from './clocks/deadline.server.ts'
import { parseHireMessage } from './hire-message.ts'
import { threadRootOf } from './reply/reply-address.server.ts'
import { storedEnquiry } from './lead-fields.ts'
import { emitNewLead, NEW_LEAD } from './lead-webhook.server.ts'
import { newLeadEmail } from './new-lead.email.tsx'

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** A clean enquiry sends two emails, the reference to the visitor and the news to the business, and a notification to staff and webhooks. */
export async function enqueueLeadEmails(
  trx: Trx,
  contact: Row<'contacts'>,
  owner: string | null,
  { acknowledge = true } = {},
): Promise<void> {
  const { id, reference, name, email, serviceType, budget, timeframe, createdAt, promisedFrom } = contact
  const { page, deadlines, isAwaited } = await findRest(trx, contact)
  const moments = {
    receivedAt: createdAt.toISOString(),
    promisedFrom: promisedFrom.toISOString(),
    acknowledgeBy: deadlines.acknowledgement,
    answerBy: deadlines.response,
  }
  const acknowledgement = acknowledgementEmail(email, {
    reference,
    name,
    serviceType,
    budget,
    timeframe,
    ...moments,
    country: contact.countryCode ? countryNames.of(contact.countryCode) : undefined,
    messageLength: characterCount(parseHireMessage(contact.message).text),
    page,
    callUrl: new URL(callUrlOf(id), env.SITE_URL).href,
  })
  const toVisitor = { ...acknowledgement, messageId: threadRootOf(id) }
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
  if (isAwaited) await emitNewLead(trx, contact)
}

/** The rows that the database has added to a new enquiry, and whether a webhook awaits it. One query, because the visitor waits for each. */
async function findRest(trx: Trx, contact: Row<'contacts'>) {
  const rows = await trx
    .selectFrom('leads')
    .leftJoin('leadClocks', 'leadClocks.contactId', 'leads.contactId')
    .select(['leads.contactId', 'pageVersion', 'clock', 'dueAt', hasListener(NEW_LEAD).as('isAwaited')])
    .where('leads.contactId', '=', contact.id)
    .execute()
  const [first] = rows
  if (!first) throw new Error('The enquiry has no lead.')
  const clocks = rows.flatMap(({ contactId, clock, dueAt }) => (clock && dueAt ? [{ contactId, clock, dueAt }] : []))
  const page = { contactId: first.contactId, pageVersion: first.pageVersion }
  return { page, deadlines: deadlinesBy(clocks)(contact), isAwaited: first.isAwaited }
}
