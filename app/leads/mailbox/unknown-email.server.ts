import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { companyOf } from '#app/leads/form/contact.server.ts'
import { countryCodeOf } from '#app/content/country.ts'
import type { LeadFromEmail } from '#app/leads/lead/new-lead.ts'
import { readListCursor, writeListCursor } from '#app/leads/list/cursor.server.ts'
import { giveWork } from '#app/leads/record/new-lead.server.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { hasWork, noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { attachPerson } from '#app/leads/lead/person.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { readMessages } from '#app/leads/reply/message.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { condition, daysAgo, queryRows, rowCount } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { findMailboxState } from './mailbox-state.server.ts'
import { ownText } from '#app/leads/reply/quoted.ts'
import { correspondentOf } from './match-lead.server.ts'
import { noteReceived } from './receive-email.server.ts'
import { companyInSignature } from './signature-company.ts'
import type { LeadEmail, ListedEmail } from './unknown-email.ts'

type Staff = Actor & { id: string }
type Asked = { state: 'received' | 'dismissed'; cursor: string | undefined; limit: number }

const PREVIEW = 160
const SUGGESTED = 5
/** Days after which a dismissed email is deleted. */
const DISMISSED_DAYS = 30

/** Emails of unknown senders, newest first: those that wait, or those that were dismissed. */
export async function listUnknownEmails({ state, cursor, limit }: Asked) {
  const after = readListCursor(state, cursor, 'timestamptz')
  const unknown = db.selectFrom('leadMessages').where('contactId', 'is', null).where('direction', '=', 'in')
  const rows = await unknown
    .select(['id', 'kind', 'fromName', 'fromAddress', 'replyToName', 'replyToAddress', 'subject', 'createdAt'])
    .select((eb) => [
      sql<string>`left(text, 1000)`.as('text'),
      // With microseconds, which a JavaScript date does not have.
      sql<string>`created_at::text`.as('key'),
      eb.selectFrom('leadFiles').select(rowCount.as('files')).whereRef('leadFiles.messageId', '=', 'leadMessages.id').as('files'),
    ])
    .where('state', '=', state)
    .$if(after !== undefined, (query) => query.where(condition`(created_at, id) < (${after?.key}::timestamptz, ${after?.id}::uuid)`))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { waiting } = await unknown.select(rowCount.as('waiting')).where('state', '=', 'received').executeTakeFirstOrThrow()
  const emails = rows.slice(0, limit)
  const last = rows.length > limit ? emails.at(-1) : undefined
  return {
    emails: emails.map(toListed),
    nextCursor: last ? writeListCursor(state, { direction: 'after', key: last.key, id: last.id }) : null,
    waiting,
    mailbox: await findMailboxState(),
  }
}

function toListed({
  text,
  files,
  createdAt,
  key: _key,
  ...row
}: Omit<ListedEmail, 'preview' | 'files' | 'receivedAt'> & {
  text: string
  files: number | null
  createdAt: Date
  key: string
}): ListedEmail {
  const preview = ownText(text).replaceAll(/\s+/g, ' ').slice(0, PREVIEW).toWellFormed()
  return { ...row, preview, files: files ?? 0, receivedAt: createdAt.toISOString() }
}

/** Longer than any text that is stored. */
const WHOLE_TEXT = 1_000_000

/** A received email with its files, whether it has a lead or not. */
export async function findReceivedEmail(id: string): Promise<LeadEmail | undefined> {
  const message = (await readMessages([id], WHOLE_TEXT)).get(id)
  if (message?.direction !== 'in') return undefined
  const { reference, createdAt, deletedAt } = await db
    .selectFrom('leadMessages')
    .leftJoin('contacts', 'contacts.id', 'leadMessages.contactId')
    .select(['contacts.reference', 'leadMessages.createdAt', 'contacts.deletedAt'])
    .where('leadMessages.id', '=', id)
    .executeTakeFirstOrThrow()
  // Emails of a deleted lead are gone as it is.
  if (deletedAt) return undefined
  const { name, email, problem } = beginOf(message)
  const company = companyInSignature(ownText(message.text), companyOf(email)) ?? null
  return {
    ...message,
    reference,
    suggestions: await suggestLeads(email),
    receivedAt: createdAt.toISOString(),
    begin: { name, email, problem, company },
  }
}

type Sent = Parameters<typeof correspondentOf>[0] & { subject: string }

/** The fields of a lead that the email itself states. */
function beginOf(message: Sent) {
  const { name, address: email } = correspondentOf(message)
  return {
    name: (name || (email.split('@')[0] ?? email)).slice(0, enquiryLimits.name).toWellFormed(),
    email,
    problem: (message.subject || 'Email without a subject').slice(0, enquiryLimits.problem).toWellFormed(),
  }
}

async function suggestLeads(address: string): Promise<LeadEmail['suggestions']> {
  return queryRows(
    db,
    { reference: z.string(), name: z.string(), problem: z.string() },
    sql`SELECT contacts.reference, contacts.name, contacts.problem FROM people
      JOIN contacts ON contacts.person_id = coalesce(people.merged_into, people.id)
      WHERE people.email = ${address} AND contacts.quarantined_at IS NULL AND contacts.deleted_at IS NULL
      ORDER BY contacts.created_at DESC, contacts.id DESC LIMIT ${SUGGESTED}`,
  )
}

/** Makes a lead of an email that has none. Its person is that of the address. */
export async function makeLead(id: string, given: LeadFromEmail | undefined, staff: Staff): Promise<{ id: string; reference: string }> {
  const lead = await transaction(async (trx) => {
    const message = await lockUnknown(trx, id)
    const known: LeadFromEmail = given ?? { ...beginOf(message), ownerId: null }
    if (!given && known.email === '') stop('unprocessable', 'This email names no address of its sender.', { code: 'no_sender' })
    const contact = await insertContact(trx, message, known)
    await giveWork(trx, contact.id, known, staff)
    await assign(trx, message, contact.id)
    await noteLeadEvent(trx, { contactId: contact.id, kind: 'added', actorId: staff.id })
    await audit(trx, 'lead_made', { ...by(staff), subjectId: contact.id })
    return contact
  })
  announceLeads()
  return lead
}

async function insertContact(trx: Trx, { subject, text, createdAt }: Row<'leadMessages'>, lead: LeadFromEmail) {
  const { name, email = '', company, country, problem } = lead
  const { id: personId } = await attachPerson(trx, { email, name })
  for (;;) {
    const row = await trx
      .insertInto('contacts')
      .values({
        id: newId(),
        personId,
        name,
        email,
        company: company || null,
        country: country ?? '',
        countryCode: countryCodeOf(country ?? '') ?? null,
        problem,
        // Whole: what is quoted in it is a guess.
        message: text || subject || 'The email has no text.',
        reference: newReference(),
        form: 'import',
        createdAt,
      })
      .onConflict((conflict) => conflict.constraint('contacts_reference_key').doNothing())
      .returning(['id', 'reference'])
      .executeTakeFirst()
    if (row) return row
  }
}

/** Adds an email that has no lead to one. */
export async function addEmailToLead(id: string, reference: string, staff: Staff): Promise<void> {
  await transaction(async (trx) => {
    const message = await lockUnknown(trx, id)
    const lead = await trx
      .selectFrom('contacts')
      .select('id')
      .where('reference', '=', reference)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!lead) {
      const sentence = `No lead has the reference ${reference}.`
      return stop('unprocessable', sentence, { code: 'validation_failed', errors: { reference: sentence } })
    }
    await assign(trx, message, lead.id)
    await audit(trx, 'lead_email_added', { ...by(staff), subjectId: lead.id })
  })
  announceLeads()
}

/** The database decides between two people who act at the same time. */
async function lockEmail(trx: Trx, id: string): Promise<Row<'leadMessages'>> {
  const message = await trx
    .selectFrom('leadMessages')
    .selectAll()
    .where('id', '=', id)
    .where('direction', '=', 'in')
    .forUpdate()
    .executeTakeFirst()
  return message ?? stop('notFound', 'There is no such email.')
}

async function lockUnknown(trx: Trx, id: string): Promise<Row<'leadMessages'>> {
  const message = await lockEmail(trx, id)
  if (message.contactId) return stop('conflict', 'Someone has added this email to a lead meanwhile.', { code: 'has_lead' })
  return message
}

async function assign(trx: Trx, message: Row<'leadMessages'>, contactId: string): Promise<void> {
  const matched = { contactId, matchedBy: 'staff' as const, state: 'received' as const }
  await trx.updateTable('leadMessages').set(matched).where('id', '=', message.id).execute()
  await trx.updateTable('leadFiles').set({ contactId }).where('messageId', '=', message.id).execute()
  await noteReceived(trx, { contactId, message: { ...message, ...matched }, failed: [] })
}

/** Takes an email that staff have added to a lead back to the inbox. A lead that was made of it, and has nothing else, is deleted. */
export async function takeEmailBack(id: string, staff: Staff): Promise<void> {
  await transaction(async (trx) => {
    const message = await lockEmail(trx, id)
    if (!message.contactId || message.matchedBy !== 'staff')
      return stop('conflict', 'This email is not one that someone has added to a lead.', { code: 'not_added' })
    await trx.updateTable('leadMessages').set({ contactId: null, matchedBy: null }).where('id', '=', id).execute()
    await trx.updateTable('leadFiles').set({ contactId: null }).where('messageId', '=', id).execute()
    await trx.deleteFrom('leadEvents').where('messageId', '=', id).execute()
    await deleteUntouched(trx, message.contactId)
    await audit(trx, 'lead_email_removed', { ...by(staff), subjectId: message.contactId })
  })
  announceLeads()
}

async function deleteUntouched(trx: Trx, contactId: string): Promise<void> {
  await sql`UPDATE contacts SET deleted_at = now() WHERE id = ${contactId} AND form = 'import' AND deleted_at IS NULL
    AND EXISTS (SELECT FROM audit_events WHERE subject_id = ${contactId} AND action = 'lead_made')
    AND NOT EXISTS (SELECT FROM lead_events WHERE contact_id = ${contactId} AND kind <> 'added') AND NOT ${hasWork(sql`${contactId}::uuid`)}`.execute(
    trx,
  )
}

/** Dismisses an email of an unknown sender, or brings it back. A dismissed one is deleted after 30 days. */
export async function dismissEmail(id: string, isDismissed: boolean): Promise<void> {
  await transaction(async (trx) => {
    await lockUnknown(trx, id)
    await trx
      .updateTable('leadMessages')
      .set({ state: isDismissed ? 'dismissed' : 'received' })
      .where('id', '=', id)
      .execute()
  })
  announceLeads()
}

defineJob(
  'leads.inbox.housekeeping',
  z.unknown(),
  async () =>
    void (await db
      .deleteFrom('leadMessages')
      .where('contactId', 'is', null)
      .where('state', '=', 'dismissed')
      .where('createdAt', '<', daysAgo(DISMISSED_DAYS))
      .execute()),
  { every: 'day' },
)
