import type { Trx } from '#app/platform/db.server.ts'
import { businessAddress } from '#app/identity/business-address.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import type { Row } from '#db/tables.ts'
import { acknowledgementLetter } from './acknowledgement.email.tsx'
import { newLeadLetter } from './new-lead.email.tsx'

/** What a clean enquiry sets in motion: its number to the visitor, the news to the business. */
export async function postLetters(trx: Trx, contact: Row<'contacts'>, owner: string | null, { acknowledge = true } = {}): Promise<void> {
  const { id, reference, name, email, company, country, problem, message, serviceType, budget, timeframe, createdAt, promisedFrom } =
    contact
  const moments = { receivedAt: createdAt.toISOString(), promisedFrom: promisedFrom.toISOString() }
  const toVisitor = acknowledgementLetter(email, { reference, name, serviceType, budget, timeframe, ...moments })
  const toBusiness = newLeadLetter(businessAddress(owner), {
    id,
    reference,
    name,
    email,
    company,
    country,
    problem,
    message,
    budget,
    timeframe,
  })
  await post(trx, ...(acknowledge ? [toVisitor] : []), toBusiness)
}
