import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { countryCodeOf } from '#app/content/country.ts'
import { requireOwner, requireStage } from '#app/leads/lead/desk-fact.server.ts'
import { assigned, rowOf, tableOf } from '#app/leads/lead/fact-column.server.ts'
import {
  type EditableFact,
  enquiryFactNames,
  factOf,
  isEditable,
  type LeadChanges,
  leadFactNames,
  leadFacts,
  staffFactNames,
} from '#app/leads/lead/lead-facts.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { notifyAssigned } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

const factRow = z.object(rowOf(leadFacts))

type Values = z.infer<typeof factRow>

/**
 * Changes facts of a lead. When someone else has changed one of them meanwhile, nothing is stored: it stops with a conflict that has the
 * current value of each such fact. Returns `false` without such a lead.
 */
export async function changeLead(id: string, changes: LeadChanges, actor: Actor & { id: string }): Promise<boolean> {
  const isFound = await transaction(async (trx) => {
    const current = await lockFacts(trx, id)
    if (!current) return false
    const names = namesIn(changes)
    refuseConflicts(current, changes, names)
    const changed = names.filter((name) => !isSame(current[name], changes[name]?.to))
    if (changed.length === 0) return true
    await store(trx, id, changes, changed)
    for (const name of changed) await noteChange(trx, { id, name, from: current[name], to: changes[name]?.to, actorId: actor.id })
    const ownerId = changes.ownerId?.to
    if (ownerId && changed.includes('ownerId')) await notifyAssigned(trx, { contactId: id, ownerId, actorId: actor.id })
    await audit(trx, 'lead_changed', { ...by(actor), subjectId: id, detail: { fields: changed } })
    return true
  })
  if (isFound) announceLeads()
  return isFound
}

async function lockFacts(trx: Trx, id: string): Promise<Values | undefined> {
  const contact = await trx
    .selectFrom('contacts')
    .select(enquiryFactNames)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!contact) return undefined
  const lead = await trx.selectFrom('leads').select(staffFactNames).where('contactId', '=', id).forUpdate().executeTakeFirstOrThrow()
  return factRow.parse({ ...contact, ...lead })
}

function namesIn(changes: LeadChanges): EditableFact[] {
  return leadFactNames.filter(isEditable).filter((name) => changes[name] !== undefined)
}

function refuseConflicts(current: Values, changes: LeadChanges, names: EditableFact[]): void {
  const differing = names.filter((name) => !isSame(current[name], changes[name]?.from) && !isSame(current[name], changes[name]?.to))
  if (differing.length === 0) return
  stop('conflict', `Someone else has changed: ${differing.map((name) => factOf(name).label).join(', ')}.`, {
    code: 'fields_changed',
    current: Object.fromEntries(differing.map((name) => [name, current[name]])),
  })
}

/** An empty text and none are the same; times are the same in any notation. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

function plain(value: unknown): unknown {
  if (value === '' || value === undefined) return null
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return Date.parse(value)
  return value
}

async function store(trx: Trx, id: string, changes: LeadChanges, changed: EditableFact[]): Promise<void> {
  const { stageId, ownerId, country } = changes
  if (stageId && changed.includes('stageId')) await requireStage(trx, stageId.to)
  if (ownerId?.to && changed.includes('ownerId')) await requireOwner(trx, ownerId.to)
  const values = changed.map((name): [EditableFact, unknown] => [name, storedValue(changes[name]?.to)])
  const [contact, lead] = [values.filter(([name]) => tableOf(name) === 'contact'), values.filter(([name]) => tableOf(name) === 'lead')]
  if (contact.length > 0) await sql`UPDATE contacts SET ${assigned(contact)} WHERE id = ${id}`.execute(trx)
  if (country && changed.includes('country'))
    await trx
      .updateTable('contacts')
      .set({ countryCode: countryCodeOf(country.to) ?? null })
      .where('id', '=', id)
      .execute()
  const since = changed.includes('stageId') ? [sql`stage_since = now()`] : []
  const sets = [...(lead.length > 0 ? [assigned(lead)] : []), ...since, sql`updated_at = now()`]
  await sql`UPDATE leads SET ${sql.join(sets)} WHERE contact_id = ${id}`.execute(trx)
}

/** A tag twice is one. */
const storedValue = (value: unknown) => (Array.isArray(value) ? [...new Set(value)] : value)

type Change = { id: string; name: EditableFact; from: unknown; to: unknown; actorId: string }

async function noteChange(trx: Trx, { id, name, from, to, actorId }: Change): Promise<void> {
  const kind = factOf(name).event ?? 'fact_changed'
  const detail = { ...(kind === 'fact_changed' && { field: name }), from, to }
  await noteLeadEvent(trx, { contactId: id, kind, actorId, detail })
}
