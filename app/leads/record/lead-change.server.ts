import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { countryCodeOf } from '#app/leads/lead/country.ts'
import { requireOwner, requireStage } from '#app/leads/lead/desk-fact.server.ts'
import type { LeadEventKind } from '#app/leads/lead/lead-event.ts'
import { noteLeadEvent } from '#app/leads/lead/lead-event.server.ts'
import { notifyAssigned } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import { leadFactLabels, type LeadChanges, type LeadFactName } from './timeline.ts'

type Values = Record<LeadFactName, unknown>

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
    .select(['name', 'company', 'country', 'serviceType'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!contact) return undefined
  const lead = await trx
    .selectFrom('leads')
    .select(['phone', 'stageId', 'ownerId', 'valueCents', 'nextStep', 'nextStepAt', 'tags', 'isStarred', 'lostReason'])
    .where('contactId', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { ...contact, ...lead, nextStepAt: lead.nextStepAt?.toISOString() ?? null }
}

function namesIn(changes: LeadChanges): LeadFactName[] {
  const isFact = (name: string): name is LeadFactName => name in leadFactLabels
  return Object.entries(changes).flatMap(([name, change]) => (change !== undefined && isFact(name) ? [name] : []))
}

function refuseConflicts(current: Values, changes: LeadChanges, names: LeadFactName[]): void {
  const differing = names.filter((name) => !isSame(current[name], changes[name]?.from) && !isSame(current[name], changes[name]?.to))
  if (differing.length === 0) return
  stop('conflict', `Someone else has changed: ${differing.map((name) => leadFactLabels[name]).join(', ')}.`, {
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

async function store(trx: Trx, id: string, changes: LeadChanges, changed: LeadFactName[]): Promise<void> {
  const { stageId, ownerId } = changes
  if (stageId && changed.includes('stageId')) await requireStage(trx, stageId.to)
  if (ownerId?.to && changed.includes('ownerId')) await requireOwner(trx, ownerId.to)
  const contact = contactColumns(changes)
  if (Object.keys(contact).length > 0) await trx.updateTable('contacts').set(contact).where('id', '=', id).execute()
  await trx
    .updateTable('leads')
    .set({ ...leadColumnsOf(changes), ...(changed.includes('stageId') && { stageSince: new Date() }), updatedAt: new Date() })
    .where('contactId', '=', id)
    .execute()
}

function contactColumns({ name, company, country, serviceType }: LeadChanges) {
  return {
    ...(name && { name: name.to }),
    ...(company && { company: company.to || null }),
    ...(country && { country: country.to, countryCode: countryCodeOf(country.to) ?? null }),
    ...(serviceType && { serviceType: serviceType.to || null }),
  }
}

function leadColumnsOf(changes: LeadChanges) {
  const { phone, stageId, ownerId, valueCents, nextStep, nextStepAt, tags, isStarred, lostReason } = changes
  return {
    ...(phone && { phone: phone.to || null }),
    ...(stageId && { stageId: stageId.to }),
    ...(ownerId && { ownerId: ownerId.to }),
    ...(valueCents && { valueCents: valueCents.to }),
    ...(nextStep && { nextStep: nextStep.to || null }),
    ...(nextStepAt && { nextStepAt: nextStepAt.to === null ? null : new Date(nextStepAt.to) }),
    ...(tags && { tags: [...new Set(tags.to)] }),
    ...(isStarred && { isStarred: isStarred.to }),
    ...(lostReason && { lostReason: lostReason.to || null }),
  }
}

type Change = { id: string; name: LeadFactName; from: unknown; to: unknown; actorId: string }

const eventKinds: Partial<Record<LeadFactName, LeadEventKind>> = {
  stageId: 'stage_changed',
  ownerId: 'owner_changed',
  tags: 'tags_changed',
}

async function noteChange(trx: Trx, { id, name, from, to, actorId }: Change): Promise<void> {
  const kind = eventKinds[name] ?? 'fact_changed'
  const detail = { ...(kind === 'fact_changed' && { field: name }), from, to }
  await noteLeadEvent(trx, { contactId: id, kind, actorId, detail })
}
