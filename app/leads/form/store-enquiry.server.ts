import { sql } from 'kysely'
import { z } from 'zod'
import { ownerEmail } from '#app/auth/users/account.server.ts'
import type { NothingLost, Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import type { Source } from '#app/platform/http/source.ts'
import { hasListener } from '#app/platform/jobs/webhook-event.server.ts'
import type { NewRow } from '#db/tables.ts'
import type { Enquiry, EnquiryReceipt } from '#app/leads/lead/contact.ts'
import { FIRST_PAGE_VERSION } from '#app/leads/lead/page-link.server.ts'
import { type DatasetRequest, leadJobs } from '#app/leads/lead/lead-emails.server.ts'
import { noteWithheldEmail } from '#app/leads/lead/lead-event.server.ts'
import { NEW_LEAD } from '#app/leads/lead/lead-webhook.server.ts'
import { deadlines } from '#app/leads/lead/promises.ts'

type EnquiryRow = Enquiry & {
  id: string
  /** That of a new person, unless the address has one already. */
  personId: string
  reference: string
  countryCode: string | null
  idempotencyKey: string | null
  spamScore: number
  spamReasons: string[]
  quarantinedAt: Date | null
  cameFrom?: Source | null
}

/** An enquiry as it will be stored, and whether its sender gets an email. */
export type NewEnquiry = { row: EnquiryRow; acknowledge: boolean; request?: DatasetRequest | undefined }

/** Stores an enquiry with its person, emails and notification. */
export async function storeEnquiry(trx: Trx, { row, acknowledge, request }: NewEnquiry): Promise<EnquiryReceipt> {
  const { id, reference, quarantinedAt } = row
  const added = await insertEnquiry(trx, row)
  if (quarantinedAt) return { id, reference }
  if (!acknowledge) await noteWithheldEmail(trx, id, 'The acknowledgement')
  const page = { contactId: id, pageVersion: FIRST_PAGE_VERSION }
  await enqueue(trx, ...leadJobs({ contact: { ...row, ...added }, rest: { ...added, page, acknowledge }, request }))
  return { id, reference }
}

const dueTimes = z.record(z.string(), z.coerce.date()).transform(toDeadlines)

/** Finds or adds the person of the address. A later message does not rename a person: anyone can type any address. */
async function insertEnquiry(trx: Trx, { personId, cameFrom, ...enquiry }: NothingLost<EnquiryRow, NewRow<'contacts'>>) {
  const { deadlines: due, ...added } = await trx
    .with('person', (query) =>
      query
        .insertInto('people')
        .values({ id: personId, email: enquiry.email, name: enquiry.name })
        .onConflict((conflict) => conflict.column('email').doUpdateSet({ updatedAt: now }))
        .returning((eb) => eb.fn.coalesce('mergedInto', 'people.id').as('settledId')),
    )
    .insertInto('contacts')
    .values((eb) => ({
      ...enquiry,
      cameFrom: cameFrom ? JSON.stringify(cameFrom) : null,
      personId: eb.selectFrom('person').select('settledId'),
    }))
    .returning([
      'createdAt',
      'promisedFrom',
      sql`(SELECT jsonb_object_agg(clock, breach_instant_of(promised_from, hours)) FROM service_promises)`.as('deadlines'),
      ownerEmail().as('owner'),
      hasListener(NEW_LEAD).as('isAwaited'),
    ])
    .executeTakeFirstOrThrow()
  return { ...added, owner: added.owner ?? null, deadlines: dueTimes.parse(due) }
}

function toDeadlines(instants: Record<string, Date>) {
  return deadlines.parse(Object.fromEntries(Object.entries(instants).map(([clock, instant]) => [clock, instant.toISOString()])))
}
