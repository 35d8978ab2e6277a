import { provenAddress } from '#app/auth/users/account.server.ts'
import { findDeadlines } from './deadline.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { OwnEnquiry, WholeContact } from './lead.ts'

const OTHERS_MAX = 20
const CALLS_MAX = 20
const OWN_MAX = 100

/** One enquiry with its related data, also while it is in quarantine. */
export async function findContact(id: string): Promise<WholeContact | undefined> {
  const contact = await db
    .selectFrom('contacts')
    .leftJoin('consultations', 'consultations.contactId', 'contacts.id')
    .leftJoin('leads', 'leads.contactId', 'contacts.id')
    .leftJoin('leadStages', 'leadStages.id', 'leads.stageId')
    .selectAll('contacts')
    .select(['consultations.id as consultationId', 'leadStages.outcome'])
    .where('contacts.id', '=', id)
    .where('contacts.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!contact) return undefined
  const others = await db
    .selectFrom('contacts')
    .select(['id', 'reference', 'message', 'createdAt'])
    .where('personId', '=', contact.personId)
    .where('id', '!=', id)
    .where('quarantinedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(OTHERS_MAX)
    .execute()
  const [calls, deadlinesOf] = await Promise.all([listCalls(contact), findDeadlines([contact])])
  return {
    ...contact,
    createdAt: contact.createdAt.toISOString(),
    promisedFrom: contact.promisedFrom.toISOString(),
    answeredAt: contact.answeredAt?.toISOString() ?? null,
    proposalSettledAt: contact.proposalSettledAt?.toISOString() ?? null,
    quarantinedAt: contact.quarantinedAt?.toISOString() ?? null,
    withdrawnAt: contact.withdrawnAt?.toISOString() ?? null,
    closedAs: contact.outcome === 'open' ? null : contact.outcome,
    deadlines: deadlinesOf(contact),
    others: others.map((other) => ({ ...other, createdAt: other.createdAt.toISOString() })),
    calls,
  }
}

/** The calls with a person, or about an enquiry, the latest first. */
async function listCalls({ id, personId }: { id: string; personId: string }): Promise<WholeContact['calls']> {
  const rows = await db
    .selectFrom('bookings')
    .select(['id', 'startsAt', 'endsAt', 'status'])
    .where((row) => row.or([row('contactId', '=', id), row('personId', '=', personId)]))
    .orderBy('startsAt', 'desc')
    .limit(CALLS_MAX)
    .execute()
  return rows.flatMap(({ startsAt, endsAt, status, ...row }) =>
    status === 'held' ? [] : [{ ...row, status, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() }],
  )
}

/** The enquiries from a customer's confirmed address, and from no other: staff may have merged several addresses into one person. */
export async function listEnquiriesOf(userId: string): Promise<OwnEnquiry[]> {
  const email = await provenAddress(userId)
  if (!email) return []
  const rows = await db
    .selectFrom('contacts')
    .leftJoin('consultations', 'consultations.contactId', 'contacts.id')
    .leftJoin('productRequests', 'productRequests.contactId', 'contacts.id')
    .select(['contacts.id', 'contacts.reference', 'contacts.serviceType', 'contacts.problem', 'contacts.message', 'contacts.answeredAt'])
    .select([
      'contacts.createdAt',
      'contacts.promisedFrom',
      'contacts.proposal',
      'consultations.id as consultationId',
      'contacts.withdrawnAt',
      'productRequests.outcome',
    ])
    .where('contacts.email', '=', email)
    .where('contacts.deletedAt', 'is', null)
    .orderBy('contacts.createdAt', 'desc')
    .limit(OWN_MAX)
    .execute()
  const deadlinesOf = await findDeadlines(rows)
  return rows.map(({ answeredAt, proposal, consultationId, createdAt, promisedFrom, withdrawnAt, outcome, ...row }) => ({
    ...row,
    deadlines: deadlinesOf({ id: row.id, promisedFrom }),
    createdAt: createdAt.toISOString(),
    promisedFrom: promisedFrom.toISOString(),
    owesProposal: proposal === null,
    stage: withdrawnAt
      ? 'withdrawn'
      : (outcome ?? stageOf({ answered: answeredAt !== null, called: consultationId !== null, proposed: proposal === 'sent' })),
  }))
}

function stageOf({ answered, called, proposed }: { answered: boolean; called: boolean; proposed: boolean }): OwnEnquiry['stage'] {
  if (proposed) return 'proposal'
  if (called) return 'consultation'
  return answered ? 'answered' : 'received'
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The id of a lead by its reference or by itself, unless it is deleted. */
export async function findLeadId(reference: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('contacts')
    .select('id')
    .where(UUID.test(reference) ? 'id' : 'reference', '=', reference)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return row?.id
}
