import { sql } from 'kysely'
import { z } from 'zod'
import { findContact, findLeadId } from '#app/leads/lead/contact.server.ts'
import { rowOf } from '#app/leads/lead/fact-column.server.ts'
import { staffFacts } from '#app/leads/lead/lead-facts.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { toTask } from './task.server.ts'
import { accountsOf } from './timeline.server.ts'
import { type LeadDetail, MERGE_UNDO_DAYS } from './timeline.ts'

const staffRow = z.object(rowOf(staffFacts))
const OTHERS_MAX = 20
const TASKS_MAX = 100
const DAY = 86_400_000

/** One lead with its person, tasks and the person's other leads. */
export async function findLeadDetail(reference: string): Promise<LeadDetail | undefined> {
  const id = await findLeadId(reference)
  const contact = id && (await findContact(id))
  if (!contact) return undefined
  const [lead, person, otherLeads, tasks] = await Promise.all([
    db.selectFrom('leads').selectAll().where('contactId', '=', contact.id).executeTakeFirstOrThrow(),
    findPersonOf(contact.id),
    listOtherLeads(contact.id),
    db.selectFrom('leadTasks').selectAll().where('contactId', '=', contact.id).orderBy('createdAt').limit(TASKS_MAX).execute(),
  ])
  const { others: _others, ...rest } = contact
  return {
    ...rest,
    ...staffRow.parse(lead),
    stageSince: lead.stageSince.toISOString(),
    person,
    otherLeads,
    tasks: tasks.map(toTask),
  }
}

async function findPersonOf(contactId: string): Promise<LeadDetail['person']> {
  const person = await db
    .selectFrom('contacts')
    .innerJoin('people', 'people.id', 'contacts.personId')
    .select(['people.id', 'people.name', 'people.email', 'people.bouncedAt', 'people.bounceReason'])
    .where('contacts.id', '=', contactId)
    .executeTakeFirstOrThrow()
  const merges = await db
    .selectFrom('personMerges')
    .innerJoin('people', 'people.id', 'personMerges.personId')
    .select(['personMerges.id as mergeId', 'people.email', 'personMerges.createdAt'])
    .where('intoId', '=', person.id)
    .where('undoneAt', 'is', null)
    .orderBy('personMerges.createdAt')
    .limit(OTHERS_MAX)
    .execute()
  const merged = merges.map(({ createdAt, ...row }) => ({
    ...row,
    email: row.email ?? '',
    undoableUntil: new Date(createdAt.getTime() + MERGE_UNDO_DAYS * DAY).toISOString(),
  }))
  const [account] = await queryRows(db, { createdAt: z.date() }, sql`${accountsOf(sql`${person.id}::uuid`)} ORDER BY created_at LIMIT 1`)
  return {
    ...person,
    email: person.email ?? '',
    bouncedAt: person.bouncedAt?.toISOString() ?? null,
    accountSince: account?.createdAt.toISOString() ?? null,
    merged,
  }
}

async function listOtherLeads(contactId: string): Promise<LeadDetail['otherLeads']> {
  const rows = await db
    .selectFrom('contacts as own')
    .innerJoin('contacts', 'contacts.personId', 'own.personId')
    .innerJoin('leads', 'leads.contactId', 'contacts.id')
    .select(['contacts.id', 'contacts.reference', 'contacts.problem', 'leads.stageId', 'contacts.createdAt'])
    .where('own.id', '=', contactId)
    .where('contacts.id', '<>', contactId)
    .where('leads.isListed', '=', true)
    .orderBy('contacts.createdAt', 'desc')
    .limit(OTHERS_MAX)
    .execute()
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }))
}
