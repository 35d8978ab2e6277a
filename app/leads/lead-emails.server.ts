import type { Trx } from '#app/platform/database/db.server.ts'
import { businessAddress } from '#app/auth/users/business-address.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Row } from '#db/tables.ts'
import { acknowledgementEmail } from './acknowledgement.email.tsx'
import { storedEnquiry } from './lead-fields.ts'
import { newLeadEmail } from './new-lead.email.tsx'

/** A clean enquiry sends two emails: the reference to the visitor, the news to the business. */
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
  await enqueueEmail(trx, ...(acknowledge ? [toVisitor] : []), toBusiness)
}
