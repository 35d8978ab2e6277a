import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { type Database, db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRow, rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { noteLeadEvent } from './lead-event.server.ts'
import { announceLeads } from './lead-signal.server.ts'
import { emitBatch } from './lead-webhook.server.ts'
import type { AutomaticStage, LeadStage, LostReasonsBody, StagesBody } from './stage.ts'

/** Far more than a lead ever has. */
const MOST_MOVES = 200

/** The pipeline, in its order. */
export async function listStages(connection: Database | Trx = db): Promise<LeadStage[]> {
  const columns = ['id', 'name', 'probability', 'outcome', 'automatic'] as const
  return connection.selectFrom('leadStages').select(columns).orderBy('position').orderBy('id').execute()
}

/** The reasons that staff choose from when a lead is lost. */
export async function listLostReasons(connection: Database | Trx = db): Promise<string[]> {
  const rows = await connection.selectFrom('leadLostReasons').select('name').orderBy('position').execute()
  return rows.map(({ name }) => name)
}

/** Replaces the list of reasons. Leads keep the reason that they have. */
export async function saveLostReasons({ reasons, base }: LostReasonsBody, actor: Actor): Promise<string[]> {
  await transaction(async (trx) => {
    await trx.selectFrom('leadStages').select('id').orderBy('id').forUpdate().execute()
    const current = await listLostReasons(trx)
    if (base && JSON.stringify(base) !== JSON.stringify(current))
      stop('conflict', 'Someone else has changed the reasons. Discard your changes to see theirs.', { code: 'reasons_changed', current })
    await trx.deleteFrom('leadLostReasons').execute()
    await trx
      .insertInto('leadLostReasons')
      .values(reasons.map((name, position) => ({ position, name })))
      .execute()
    await audit(trx, 'lead_stages_saved', { ...by(actor), detail: { lostReasons: reasons.length } })
  })
  announceLeads()
  return reasons
}

/**
 * Moves a lead forward to the stage of an event. A lead that is further, won or lost stays, and so does every lead where the operator has
 * removed that stage.
 */
export async function advanceLead(trx: Trx, contactId: string, event: AutomaticStage, actorId?: string): Promise<void> {
  const { lead, stages, current } = await lockLead(trx, contactId)
  const target = stages.findIndex(({ automatic }) => automatic === event)
  if (!lead || target < 0 || current < 0 || stages[current]?.outcome !== 'open' || target <= current) return
  await moveLead(trx, { contactId, from: lead.stageId, to: stages[target]?.id, actorId, event })
}

/** Wins a lead, with its value where it is known: what was agreed counts more than what was guessed. */
export async function winLead(trx: Trx, contactId: string, valueCents: number | undefined): Promise<void> {
  if (valueCents !== undefined)
    await trx.updateTable('leads').set({ valueCents, updatedAt: new Date() }).where('contactId', '=', contactId).execute()
  await advanceLead(trx, contactId, 'won')
}

/** Undoes `advanceLead`, while the lead is still where the event moved it. */
export async function retreatLead(trx: Trx, contactId: string, event: AutomaticStage, actorId?: string): Promise<void> {
  const { lead, stages } = await lockLead(trx, contactId)
  const target = stages.find(({ automatic }) => automatic === event)
  if (!lead || lead.stageId !== target?.id) return
  const move = await effectiveMove(trx, contactId)
  // Before the timeline began, events moved leads without a trace; then the pipeline's start is next.
  const from = move ? move['event'] === event && stages.find(({ id }) => id === move['from']) : stages[0]
  if (from) await moveLead(trx, { contactId, from: lead.stageId, to: from.id, actorId, undone: event })
}

/** The detail of the move that brought a lead where it is: the newest one, without those that were undone. */
async function effectiveMove(trx: Trx, contactId: string): Promise<Record<string, unknown> | undefined> {
  const moves = await trx
    .selectFrom('leadEvents')
    .select('detail')
    .where('contactId', '=', contactId)
    .where('kind', '=', 'stage_changed')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_MOVES)
    .execute()
  const undone: unknown[] = []
  for (const { detail } of moves) {
    if (detail['undone'] !== undefined) undone.push(detail['undone'])
    else if (undone.at(-1) === undefined || detail['event'] !== undone.at(-1)) return detail
    else undone.pop()
  }
  return undefined
}

async function lockLead(trx: Trx, contactId: string) {
  // A stage that is being removed is not moved to: this waits for the owner's change, in the order of its locks.
  await trx.selectFrom('leadStages').select('id').orderBy('id').forKeyShare().execute()
  const stages = await listStages(trx)
  const lead = await trx.selectFrom('leads').select('stageId').where('contactId', '=', contactId).forUpdate().executeTakeFirst()
  return { lead, stages, current: stages.findIndex(({ id }) => id === lead?.stageId) }
}

type Move = {
  contactId: string
  from: number
  to: number | undefined
  actorId: string | undefined
  event?: AutomaticStage
  undone?: AutomaticStage
}

async function moveLead(trx: Trx, { contactId, from, to, actorId, event, undone }: Move): Promise<void> {
  if (to === undefined) return
  await trx
    .updateTable('leads')
    .set({ stageId: to, stageSince: new Date(), updatedAt: new Date() })
    .where('contactId', '=', contactId)
    .execute()
  const detail = { from, to, ...(event && { event }), ...(undone && { undone }) }
  await noteLeadEvent(trx, { contactId, kind: 'stage_changed', actorId, detail })
  await audit(trx, 'lead_stage_changed', { ...by({ id: actorId }), subjectId: contactId, detail })
}

/** Replaces the pipeline. Stages of events can be renamed and moved, but only `reply`, `call` and `proposal` can be removed. */
export async function saveStages({ stages, moveTo, base }: StagesBody, actor: Actor): Promise<LeadStage[]> {
  const saved = await transaction(async (trx) => {
    await trx.selectFrom('leadStages').select('id').orderBy('id').forUpdate().execute()
    const before = await listStages(trx)
    refuseNewer(before, base)
    const known = stages.flatMap(({ id }) => before.find((stage) => stage.id === id) ?? [])
    refuseUnfit(stages, before, known)
    const removed = before.filter(({ id }) => !known.some((stage) => stage.id === id))
    await emptyStages(trx, { removed, moveTo: known.find(({ id }) => id === moveTo), actor })
    let last = Math.max(...before.map(({ id }) => id))
    for (const [position, { id, name, probability }] of stages.entries()) {
      const row = { name, probability, position: position + 1 }
      if (id === undefined)
        await trx
          .insertInto('leadStages')
          .values({ id: (last += 1), ...row })
          .execute()
      else await trx.updateTable('leadStages').set(row).where('id', '=', id).execute()
    }
    await audit(trx, 'lead_stages_saved', { ...by(actor), detail: { stages: stages.length, removed: removed.map(({ id }) => id) } })
    return listStages(trx)
  })
  announceLeads()
  return saved
}

/** Someone else's change of the pipeline is not overwritten. */
function refuseNewer(before: LeadStage[], base: StagesBody['base']): void {
  const textOf = (stages: { id: number; name: string; probability: number }[]) =>
    JSON.stringify(stages.map(({ id, name, probability }) => [id, name, probability]))
  if (base && textOf(base) !== textOf(before))
    stop('conflict', 'Someone else has changed the stages. Discard your changes to see theirs.', {
      code: 'stages_changed',
      current: before,
    })
}

function refuseUnfit(stages: StagesBody['stages'], before: LeadStage[], known: LeadStage[]): void {
  const refuse = (sentence: string) => stop('unprocessable', sentence, { code: 'validation_failed', errors: { stages: sentence } })
  const ids = stages.flatMap(({ id }) => id ?? [])
  if (known.length !== ids.length) refuse('A stage of this list was removed meanwhile. Reload the page.')
  if (new Set(ids).size < ids.length) refuse('A stage can be in the list only once.')
  const names = stages.map(({ name }) => name.toLowerCase())
  const doubled = stages.find(({ name }, at) => names.indexOf(name.toLowerCase()) !== at)
  if (doubled) refuse(`Two stages are called ${doubled.name}.`)
  const needed = before.find(
    ({ id, automatic }) => (automatic === 'new' || automatic === 'won' || automatic === 'lost') && !ids.includes(id),
  )
  if (needed) refuse(`${needed.name} cannot be removed: rename it instead.`)
  const first = before.find(({ automatic }) => automatic === 'new')
  if (first && ids[0] !== first.id) refuse(`${first.name} is the first stage: new leads begin there.`)
}

type MovingAll = { ids: number[]; to: number; actor: Actor }

/** In the timeline of each lead, like any other move: the figures of the stages count them. */
async function moveAll(trx: Trx, { ids, to, actor }: MovingAll): Promise<void> {
  const actorId = actor.id ?? null
  const { id: batchId } = await insert(trx, 'leadBatches', { kind: 'stage', actorId })
  const { count } = await queryRow(
    trx,
    { count: z.number() },
    sql`WITH former AS (SELECT contact_id, stage_id FROM leads WHERE stage_id = ANY(${ids}::integer[]) FOR UPDATE),
      moved AS (
        UPDATE leads SET stage_id = ${to}, stage_since = now(), updated_at = now() FROM former WHERE leads.contact_id = former.contact_id
        RETURNING leads.contact_id, former.stage_id AS before),
      noted AS (
        INSERT INTO lead_events (id, contact_id, kind, actor_id, batch_id, detail)
        SELECT gen_random_uuid(), contact_id, 'stage_changed', ${actorId}::uuid, ${batchId}::uuid, jsonb_build_object('from', before, 'to', ${to}::integer)
        FROM moved RETURNING 1)
    SELECT count(*) FROM noted`,
  )
  await trx.updateTable('leadBatches').set({ leads: count }).where('id', '=', batchId).execute()
  await emitBatch(trx, batchId)
}

type Emptying = { removed: LeadStage[]; moveTo: LeadStage | undefined; actor: Actor }

/** Leads of a removed stage need another one. */
async function emptyStages(trx: Trx, { removed, moveTo, actor }: Emptying): Promise<void> {
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  const { count } = await trx.selectFrom('leads').select(rowCount.as('count')).where('stageId', 'in', ids).executeTakeFirstOrThrow()
  if (count > 0) {
    if (!moveTo) {
      stop('unprocessable', `${numberText(count)} leads are in a removed stage. Choose their new stage.`, { code: 'stage_in_use' })
    }
    await moveAll(trx, { ids, to: moveTo.id, actor })
    await audit(trx, 'lead_stage_changed', { ...by(actor), detail: { from: ids, to: moveTo.id, leads: count } })
  }
  await trx.deleteFrom('leadStages').where('id', 'in', ids).execute()
}
