import type { Trx } from '#app/platform/database/db.server.ts'
import { businessAddress } from '#app/auth/users/account.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Row } from '#db/tables.ts'
import { characterCount } from '#app/platform/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { acknowledgementEmail } from './acknowledgement.email.tsx'
import { callUrlOf } from './call-link.server.ts'
import { findDeadlines } from './clocks/deadline.server.ts'
import { parseHireMessage } from './hire-message.ts'
import { threadRootOf } from './reply/reply-address.server.ts'
import { storedEnquiry } from './lead-fields.ts'
import { emitNewLead } from './lead-webhook.server.ts'
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
  const deadlines = (await findDeadlines([contact], trx))(contact)
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
    page: await trx.selectFrom('leads').select(['contactId', 'pageVersion']).where('contactId', '=', id).executeTakeFirstOrThrow(),
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
  await emitNewLead(trx, contact)
}
