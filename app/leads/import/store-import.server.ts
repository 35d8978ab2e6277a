import { setImmediate as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { countryCodeOf } from '#app/content/country.ts'
import { typeOf } from '#app/leads/lead/fact-column.server.ts'
import { type StaffFactName, staffFactNames } from '#app/leads/lead/lead-facts.ts'
import { requireStage } from '#app/leads/lead/desk-fact.server.ts'
import { hasWork } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { renderNote } from '#app/leads/lead/note-markdown.server.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { daysAgo, queryRow, queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Source } from '#app/platform/http/source.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { findKnown, type ImportedLead } from './lead-import.server.ts'

const UNDO_DAYS = 30
const CHUNK = 500
const LISTED = 50

type Staff = Actor & { id: string }
type Stored = ImportedLead & { id: string; html: string | null }

/** Stores all leads of a file in one transaction. Their senders were promised no reply here, so their clocks do not run. */
export async function storeImport(title: string, leads: ImportedLead[], staff: Staff): Promise<string> {
  const rows: Stored[] = []
  for (const lead of leads) {
    rows.push({ ...lead, id: newId(), html: lead.note && (await renderNote(lead.note)) })
    // A note takes a millisecond or more, and 50,000 of them must not hold up everyone else.
    if (lead.note) await pause()
  }
  const id = newId()
  await transaction(async (trx) => {
    await refuseNowKnown(trx, leads)
    for (const stageId of new Set(rows.map(({ work }) => work.stageId))) await requireStage(trx, stageId)
    await insert(trx, 'leadBatches', { id, kind: 'import', actorId: staff.id, title, leads: rows.length })
    for (let start = 0; start < rows.length; start += CHUNK)
      await storeChunk(trx, rows.slice(start, start + CHUNK), { id, actorId: staff.id })
    await audit(trx, 'leads_imported', { ...by(staff), detail: { batch: id, leads: rows.length } })
  })
  announceLeads()
  return id
}

/** The same file can be sent from two tabs, and a large one takes a while: one import waits for the other, and finds its people. */
async function refuseNowKnown(trx: Trx, leads: ImportedLead[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('lead-import', 0))`.execute(trx)
  const keys = leads.flatMap(({ key, isKnown }) => (key === undefined || isKnown ? [] : key))
  const { size } = await findKnown(trx, keys)
  if (size === 0) return
  const people = size === 1 ? 'One person of this file has' : `${numberText(size)} people of this file have`
  stop('conflict', `${people} a lead meanwhile, and nothing was imported. Look at the file again.`, { code: 'already_imported' })
}

/** A name as it is in JSON: identifiers are written in snake case. */
const quoted = (name: StaffFactName) => sql.raw(`"${name}"`)

type Batch = { id: string; actorId: string }

async function storeChunk(trx: Trx, rows: Stored[], batch: Batch): Promise<void> {
  const people = await attachPeople(trx, rows)
  await storeContacts(trx, rows, people)
  const sets = staffFactNames.map((name) => sql`${sql.ref(name)} = fact.${quoted(name)}`)
  const types = staffFactNames.map((name) => sql`${quoted(name)} ${typeOf(name)}`)
  await sql`UPDATE leads SET ${sql.join(sets)}
    FROM jsonb_to_recordset(${JSON.stringify(rows.map(({ id, work }) => ({ id, ...work })))}::jsonb) AS fact (id uuid, ${sql.join(types)})
    WHERE leads.contact_id = fact.id`.execute(trx)
  const event = { actorId: batch.actorId, batchId: batch.id, detail: '{}' }
  await trx
    .insertInto('leadEvents')
    .values(rows.map(({ id }) => ({ id: newId(), contactId: id, kind: 'imported', ...event })))
    .execute()
  await storeNotes(trx, rows, batch)
}

/** The person of each row, by its id. Without an address, it is a new person. */
async function attachPeople(trx: Trx, rows: Stored[]): Promise<Map<string, string>> {
  const byAddress = new Map<string, { id: string; email: string | null; name: string }>()
  for (const { id, enquiry } of rows) {
    byAddress.set(enquiry.email.toLowerCase() || id, { id: newId(), email: enquiry.email || null, name: enquiry.name })
  }
  const found = await trx
    .insertInto('people')
    .values([...byAddress.values()])
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ updatedAt: new Date() }))
    .returning((row) => ['email', row.fn.coalesce('people.mergedInto', 'people.id').as('id')])
    .execute()
  const known = new Map(found.flatMap(({ email, id }) => (email === null ? [] : [[email.toLowerCase(), id] as const])))
  const personOf = (key: string) => known.get(key) ?? byAddress.get(key)?.id
  return new Map(
    rows.flatMap(({ id, enquiry }) => {
      const person = personOf(enquiry.email.toLowerCase() || id)
      return person ? [[id, person] as const] : []
    }),
  )
}

/** Among many leads, a new reference is taken now and then: those rows get another one. */
async function storeContacts(trx: Trx, rows: Stored[], people: Map<string, string>): Promise<void> {
  for (let missing = rows; missing.length > 0;) {
    const stored = await trx
      .insertInto('contacts')
      .values(missing.map((row) => contactOf(row, people)))
      .onConflict((conflict) => conflict.constraint('contacts_reference_key').doNothing())
      .returning('id')
      .execute()
    const ids = new Set(stored.map(({ id }) => id))
    missing = missing.filter(({ id }) => !ids.has(id))
  }
}

function contactOf({ id, enquiry, source, createdAt }: Stored, people: Map<string, string>) {
  const personId = people.get(id)
  if (!personId) throw new Error('An imported lead has no person.')
  return {
    ...enquiry,
    id,
    createdAt,
    personId,
    reference: newReference(),
    form: 'import' as const,
    cameFrom: source === null ? null : JSON.stringify(toSource(source)),
    countryCode: countryCodeOf(enquiry.country) ?? null,
    answeredAt: createdAt,
    proposal: 'not_needed' as const,
    proposalSettledAt: createdAt,
  }
}

/** The source column of the other program is stored as the source of a campaign. */
function toSource(text: string): Source {
  return { form: 'import', path: null, referrer: null, campaign: { utm_source: text } }
}

async function storeNotes(trx: Trx, rows: Stored[], { actorId }: Batch): Promise<void> {
  const notes = rows.flatMap(({ id: contactId, note, html }) =>
    note && html !== null ? [{ id: newId(), contactId, authorId: actorId, text: note, html }] : [],
  )
  if (notes.length === 0) return
  await trx.insertInto('leadNotes').values(notes).execute()
  const events = notes.map(({ id, contactId }) => ({
    id: newId(),
    contactId,
    kind: 'note_added',
    actorId,
    noteId: id,
    detail: '{"imported":true}',
  }))
  await trx.insertInto('leadEvents').values(events).execute()
}

/** The latest imports. */
export async function listImports() {
  const rows = await db
    .selectFrom('leadBatches')
    .selectAll()
    .where('kind', '=', 'import')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  const oldest = Date.now() - UNDO_DAYS * 86_400_000
  return rows.map(({ id, title, leads, createdAt, undoneAt }) => ({
    id,
    title,
    leads,
    createdAt: createdAt.toISOString(),
    undoneAt: undoneAt?.toISOString() ?? null,
    isUndoable: undoneAt === null && createdAt.getTime() > oldest,
  }))
}

/** Removes the leads of an import, and people who were new with it. Leads that people have worked on since stay. */
export async function undoImport(id: string, staff: Staff): Promise<{ removed: number; left: number }> {
  const result = await transaction(async (trx) => {
    const batch = await trx
      .updateTable('leadBatches')
      .set({ undoneAt: new Date() })
      .where('id', '=', id)
      .where('kind', '=', 'import')
      .where('undoneAt', 'is', null)
      .where('createdAt', '>', daysAgo(UNDO_DAYS))
      .returningAll()
      .executeTakeFirst()
    if (!batch) return stop('conflict', `This import was undone, or is older than ${UNDO_DAYS} days.`, { code: 'not_undoable' })
    const removed = await removeUntouched(trx, id)
    await audit(trx, 'lead_import_undone', { ...by(staff), detail: { batch: id, leads: removed } })
    const { count } = await queryRow(trx, { count: z.number() }, sql`SELECT count(*) FROM lead_events WHERE batch_id = ${id}::uuid`)
    return { removed, left: count }
  })
  announceLeads()
  return result
}

async function removeUntouched(trx: Trx, batchId: string): Promise<number> {
  const removed = await queryRows(
    trx,
    { personId: z.string() },
    sql`DELETE FROM contacts USING lead_events AS event
      WHERE event.batch_id = ${batchId}::uuid AND event.contact_id = contacts.id
        AND NOT EXISTS (SELECT FROM lead_events AS later WHERE later.contact_id = contacts.id AND later.batch_id IS DISTINCT FROM ${batchId}::uuid
          AND NOT later.detail @> '{"imported":true}')
        AND NOT ${hasWork(sql`contacts.id`)}
      RETURNING contacts.person_id`,
  )
  await sql`DELETE FROM people WHERE id = ANY(${removed.map(({ personId }) => personId)}::uuid[])
      AND NOT EXISTS (SELECT FROM contacts WHERE person_id = people.id) AND NOT EXISTS (SELECT FROM consultations WHERE person_id = people.id)
      AND NOT EXISTS (SELECT FROM bookings WHERE person_id = people.id) AND NOT EXISTS (SELECT FROM person_merges WHERE into_id = people.id)
      AND created_at >= (SELECT created_at FROM lead_batches WHERE id = ${batchId}::uuid)`.execute(trx)
  return removed.length
}
