import { sql } from 'kysely'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, daysAgo } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { MERGE_UNDO_DAYS } from './timeline.ts'

/** Enquiries that a merge notes in the timeline; a person rarely has more. */
const MOST_NOTED = 100

type Staff = Actor & { id: string }

/** In PostgreSQL's list of advisory locks. */
const MERGE_LOCK = 1_467_511_418

/** One merge at a time: two people who are merged into one another would each belong to the other. */
async function lockMerges(trx: Trx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${MERGE_LOCK})`.execute(trx)
}

/** Another person: by their address, or by their id where they have none. */
export type OtherPerson = { email: string } | { personId: string }

/** Merges another person into the person of a lead: their enquiries and calls move, and so do those that come later. */
export async function mergePerson(contactId: string, whom: OtherPerson, staff: Staff): Promise<{ id: string }> {
  const merge = await transaction(async (trx) => {
    await lockMerges(trx)
    const into = await personOfLead(trx, contactId)
    const isOther = 'email' in whom ? condition`email = ${whom.email}` : condition`id = ${whom.personId}`
    const other = await trx.selectFrom('people').selectAll().where(isOther).forUpdate().executeTakeFirst()
    if (!other) return stop('notFound', 'No one has written from this address.', { code: 'no_such_person' })
    if (other.id === into.id || other.mergedInto === into.id)
      return stop('conflict', 'This address already belongs to this person.', { code: 'same_person' })
    if (other.mergedInto)
      return stop('conflict', 'This address was merged into another person. Separate it there first.', { code: 'merged_elsewhere' })
    return moveAll(trx, { other, into, staff })
  })
  announceLeads()
  return { id: merge.id }
}

async function personOfLead(trx: Trx, contactId: string): Promise<Row<'people'>> {
  return trx
    .selectFrom('people')
    .selectAll('people')
    .where('id', '=', (query) => query.selectFrom('contacts').select('personId').where('contacts.id', '=', contactId))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

type Moving = { other: Row<'people'>; into: Row<'people'>; staff: Staff }

async function moveAll(trx: Trx, { other, into, staff }: Moving): Promise<Row<'personMerges'>> {
  const move = async (table: 'contacts' | 'consultations' | 'bookings') => {
    const rows = await trx.updateTable(table).set({ personId: into.id }).where('personId', '=', other.id).returning('id').execute()
    return rows.map(({ id }) => id)
  }
  const moved = { contactIds: await move('contacts'), consultationIds: await move('consultations'), bookingIds: await move('bookings') }
  const further = await trx.updateTable('people').set({ mergedInto: into.id }).where('mergedInto', '=', other.id).returning('id').execute()
  await trx.updateTable('people').set({ mergedInto: into.id, updatedAt: new Date() }).where('id', '=', other.id).execute()
  const whose = { personId: other.id, intoId: into.id, actorId: staff.id }
  const merge = await insert(trx, 'personMerges', { ...whose, ...moved, personIds: further.map(({ id }) => id) })
  for (const contactId of moved.contactIds.slice(0, MOST_NOTED)) await noteLeadEvent(trx, { contactId, kind: 'merged', actorId: staff.id })
  await audit(trx, 'people_merged', { ...by(staff), subjectId: into.id, detail: { merge: merge.id, leads: moved.contactIds.length } })
  return merge
}

/**
 * Separates a merged address again. Rows that have moved on since stay. Those that came meanwhile from the address, or from those that had been merged into
 * it before, go with it.
 */
export async function undoMerge(id: string, staff: Staff): Promise<{ restored: number }> {
  const restored = await transaction(async (trx) => {
    await lockMerges(trx)
    const merge = await trx
      .updateTable('personMerges')
      .set({ undoneAt: new Date() })
      .where('id', '=', id)
      .where('undoneAt', 'is', null)
      .where('createdAt', '>', daysAgo(MERGE_UNDO_DAYS))
      .returningAll()
      .executeTakeFirst()
    if (!merge) return stop('conflict', `This merge was undone, or is older than ${MERGE_UNDO_DAYS} days.`, { code: 'not_undoable' })
    const person = await trx.selectFrom('people').selectAll().where('id', '=', merge.personId).forUpdate().executeTakeFirstOrThrow()
    if (person.mergedInto !== merge.intoId)
      stop('conflict', 'This person was merged further meanwhile. Undo the later merge first.', { code: 'merged_further' })
    return moveBack(trx, { merge, person, staff })
  })
  announceLeads()
  return { restored }
}

type Returning = { merge: Row<'personMerges'>; person: Row<'people'>; staff: Staff }

async function moveBack(trx: Trx, { merge, person, staff }: Returning): Promise<number> {
  const { intoId, contactIds, consultationIds, bookingIds, personIds } = merge
  await trx.updateTable('people').set({ mergedInto: null, updatedAt: new Date() }).where('id', '=', person.id).execute()
  const further = trx.updateTable('people').set({ mergedInto: person.id }).where('mergedInto', '=', intoId)
  const returned = await further
    .where(condition`id = ANY(${personIds}::uuid[])`)
    .returning('email')
    .execute()
  const addresses = [person, ...returned].flatMap(({ email }) => email ?? [])
  const back = async (table: 'contacts' | 'consultations' | 'bookings', ids: string[]) => {
    const rows = await trx
      .updateTable(table)
      .set({ personId: person.id })
      .where('personId', '=', intoId)
      .where(condition`id = ANY(${ids}::uuid[]) OR (email = ANY(${addresses}::citext[]) AND created_at > ${merge.createdAt})`)
      .returning('id')
      .execute()
    return rows.map(({ id }) => id)
  }
  const contacts = await back('contacts', contactIds)
  await back('consultations', consultationIds)
  await back('bookings', bookingIds)
  for (const contactId of contacts.slice(0, MOST_NOTED)) await noteLeadEvent(trx, { contactId, kind: 'unmerged', actorId: staff.id })
  await audit(trx, 'people_unmerged', { ...by(staff), subjectId: intoId, detail: { merge: merge.id, leads: contacts.length } })
  return contacts.length
}

/** Moves one enquiry, with its calls, to the person of another address. Returns the address that takes it back there, for an undo. */
export async function moveLead(contactId: string, email: string, staff: Staff): Promise<{ email: string | null }> {
  const before = await transaction(async (trx) => {
    await lockMerges(trx)
    const from = await personOfLead(trx, contactId)
    const lead = await trx.selectFrom('contacts').select(['name', 'email', 'form']).where('id', '=', contactId).executeTakeFirstOrThrow()
    const { name } = lead
    const { id: personId } = await attachPerson(trx, { email, name })
    // An address that staff typed is theirs to correct; one that the person gave stays with the enquiry.
    const isOurs = lead.email === '' || lead.form === 'staff'
    // A person can have several addresses, and the one that staff typed is replaced.
    const back = { email: (isOurs && lead.email) || from.email }
    if (personId === from.id && (!isOurs || lead.email === email)) return back
    await trx
      .updateTable('contacts')
      .set({ personId, ...(isOurs && { email }) })
      .where('id', '=', contactId)
      .execute()
    for (const table of ['consultations', 'bookings'] as const)
      await trx.updateTable(table).set({ personId }).where('contactId', '=', contactId).execute()
    await noteLeadEvent(trx, { contactId, kind: 'moved', actorId: staff.id })
    await audit(trx, 'lead_moved', { ...by(staff), subjectId: contactId, detail: { from: from.id, to: personId } })
    return back
  })
  announceLeads()
  return before
}
