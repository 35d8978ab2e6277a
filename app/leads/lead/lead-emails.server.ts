import type { Trx } from '#app/platform/database/db.server.ts'
import { businessAddress } from '#app/auth/users/account.server.ts'
import { type NewNotification, notificationJob } from '#app/account/notifications/notification.server.ts'
import type { Email } from '#app/mail/email.server.ts'
import { emailJob } from '#app/mail/outbox.server.ts'
import { enqueue, type NewJob } from '#app/platform/jobs.server.ts'
import { hasListener } from '#app/platform/jobs/webhook-event.server.ts'
import type { Row } from '#db/tables.ts'
import { characterCount } from '#app/platform/text/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { later } from '#app/platform/process/later.ts'
import { acknowledgementEmail } from './acknowledgement.email.tsx'
import { callUrlOf } from './call-link.server.ts'
import { deadlinesBy } from './deadline.server.ts'
import { parseHireMessage } from './hire-message.ts'
import { aboutLead, threadRootOf } from './reply-address.server.ts'
import type { EnquiryField } from './contact.ts'
import { asStoredEnquiry } from './lead-facts.ts'
import { NEW_LEAD, newLeadJob } from './lead-webhook.server.ts'
import { newLeadEmail } from './new-lead.email.tsx'
import type { Deadlines } from './promises.ts'

const countryNames = later(() => new Intl.DisplayNames('en', { type: 'region' }))

type Named = 'id' | 'reference' | 'name' | 'email' | 'company' | 'country' | 'serviceType' | 'budget' | 'timeframe' | 'message'
type LeadContact = Partial<Record<EnquiryField, unknown>> & Pick<Row<'contacts'>, Named | 'countryCode' | 'createdAt' | 'promisedFrom'>

/** The facts of a new lead that the database adds to its enquiry. */
type Rest = {
  page: Pick<Row<'leads'>, 'contactId' | 'pageVersion'>
  deadlines: Deadlines
  owner: string | null
  /** Whether a webhook awaits new leads. */
  isAwaited: boolean
}

/** Enqueues what a released enquiry sends. */
export async function enqueueLeadEmails(trx: Trx, contact: LeadContact, owner: string | null): Promise<void> {
  await enqueue(trx, ...leadJobs({ contact, rest: { ...(await findRest(trx, contact)), owner, acknowledge: true } }))
}

/** A customer's request for access to a dataset. */
export type DatasetRequest = { dataset: string; by: string }

/** A new lead, and whether its sender gets an acknowledgement. */
type NewLead = { contact: LeadContact; rest: Rest & { acknowledge: boolean }; request?: DatasetRequest | undefined }

/** A clean enquiry sends two emails, the reference to the visitor and the news to the business, and a notification to staff and webhooks. */
export function leadJobs({ contact, rest, request }: NewLead): NewJob[] {
  const toVisitor = rest.acknowledge ? [emailJob(acknowledgementOf(contact, rest))] : []
  const { id, reference } = contact
  const toBusiness = newLeadEmail(businessAddress(rest.owner), { id, reference, ...asStoredEnquiry(contact) })
  const toPrograms = rest.isAwaited ? [newLeadJob(contact)] : []
  return [...toVisitor, emailJob(aboutLead(toBusiness, id)), ...toPrograms, notificationJob(noticeOf(contact, request))]
}

/** A lead that staff have added: webhooks hear of it, and its person only if asked. Staff know of it. */
export async function enqueueAddedLead(trx: Trx, contact: LeadContact, acknowledge: boolean): Promise<void> {
  const rest = await findRest(trx, contact)
  const toPrograms = rest.isAwaited ? [newLeadJob(contact)] : []
  await enqueue(trx, ...(acknowledge ? [emailJob(acknowledgementOf(contact, rest))] : []), ...toPrograms)
}

function noticeOf({ id, reference, name, serviceType }: LeadContact, request?: DatasetRequest): NewNotification {
  return {
    kind: 'lead',
    title: (request ? `Access to ${request.dataset} requested by ${name}` : `New enquiry from ${name}`).slice(0, 200),
    body: [serviceType, reference].filter(Boolean).join(' · '),
    link: `/leads/${reference}`,
    ...(request && { by: request.by }),
    subjectId: id,
    dedupeKey: `lead:${id}`,
    to: { roles: ['staff', 'owner'] },
  }
}

function acknowledgementOf(contact: LeadContact, { page, deadlines }: Pick<Rest, 'page' | 'deadlines'>): Email {
  const { id, reference, name, email, serviceType, budget, timeframe, createdAt, promisedFrom } = contact
  const acknowledgement = acknowledgementEmail(email, {
    reference,
    name,
    serviceType,
    budget,
    timeframe,
    receivedAt: createdAt.toISOString(),
    promisedFrom: promisedFrom.toISOString(),
    acknowledgeBy: deadlines.acknowledgement,
    answerBy: deadlines.response,
    country: contact.countryCode ? countryNames().of(contact.countryCode) : undefined,
    messageLength: characterCount(parseHireMessage(contact.message).text),
    page,
    callUrl: new URL(callUrlOf(page), env.SITE_URL).href,
  })
  return aboutLead({ ...acknowledgement, messageId: threadRootOf(id) }, id)
}

/** The rows that the database has added to an enquiry, and whether a webhook awaits it. */
async function findRest(trx: Trx, contact: LeadContact) {
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
