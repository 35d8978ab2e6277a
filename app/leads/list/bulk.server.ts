import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, type AuditAction, by } from '#app/auth/users/audit.server.ts'
import { notifyAssignedBatch } from '#app/leads/lead/lead-notice.server.ts'
import { announceLeads } from '#app/leads/lead/lead-signal.server.ts'
import { emitBatch } from '#app/leads/lead/lead-webhook.server.ts'
import { insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { daysAgo, queryRow } from '#app/platform/database/sql.server.ts'
import { requireMatches } from '#app/platform/tables/matches.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { requireOwner, requireStage } from '#app/leads/lead/desk-fact.server.ts'
import { BULK_MOST, type BulkChange, type BulkChoice } from '#app/leads/lead/desk.ts'
import { MOST_TAGS } from '#app/leads/lead/fact-value.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { conditionsOf, fromLeads } from './desk-filter.server.ts'

/** An undo is offered for some seconds; a slow one still arrives in time. */
const UNDO_DAYS = 1

type BatchKind = Row<'leadBatches'>['kind']

/** How a kind of change writes a column, and what its event has. Every value is JSON: `null`, a text, a number or a list of texts. */
type Field = {
  column: string
  event: string
  valueOf: (json: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Whether a lead can have the value again. */
  isPossible?: (value: RawBuilder<unknown>) => RawBuilder<unknown>
}

const textIn = (json: RawBuilder<unknown>) => sql`(${json} #>> '{}')`

const fields: Record<'stage' | 'owner' | 'tags', Field> = {
  stage: {
    column: 'stage_id',
    event: 'stage_changed',
    valueOf: (json) => sql`${textIn(json)}::integer`,
    // The lock holds off a removal of the stage.
    isPossible: (value) => sql`${value} IN (SELECT id FROM lead_stages FOR KEY SHARE)`,
  },
  owner: { column: 'owner_id', event: 'owner_changed', valueOf: (json) => sql`${textIn(json)}::uuid` },
  tags: { column: 'tags', event: 'tags_changed', valueOf: (json) => sql`ARRAY(SELECT jsonb_array_elements_text(${json}))` },
}

/**
 * Changes many leads in one transaction, each with its event, and returns the batch for the undo. Leads that already have the value, or have
 * no room for one more tag, do not change.
 */
export async function changeLeads(
  choice: BulkChoice,
  change: BulkChange,
  actor: Actor & { id: string },
): Promise<{ id: string; changed: number }> {
  const id = newId()
  const changed = await transaction(async (trx) => {
    await refuseUnknown(trx, change)
    const chosen = await chosenLeads(trx, choice, actor.id)
    await refuseConflict(trx, chosen, change)
    const kind = kindOf(change)
    await insert(trx, 'leadBatches', { id, kind, actorId: actor.id })
    const batch = { id, actorId: actor.id }
    const count = change.change === 'delete' ? await deleteLeads(trx, chosen, batch) : await setField(trx, chosen, batch, change)
    await trx.updateTable('leadBatches').set({ leads: count }).where('id', '=', id).execute()
    if (count > 0 && kind === 'stage') await emitBatch(trx, id)
    if (count > 0 && change.change === 'owner' && change.ownerId)
      await notifyAssignedBatch(trx, { batchId: id, ownerId: change.ownerId, actorId: actor.id, leads: count })
    if (count > 0) await audit(trx, actions[kind], { ...by(actor), detail: { batch: id, change: change.change, leads: count } })
    return count
  })
  announceLeads()
  return { id, changed }
}

const actions: Record<BatchKind, AuditAction> = {
  stage: 'leads_changed',
  owner: 'leads_changed',
  tags: 'leads_changed',
  delete: 'leads_deleted',
  import: 'leads_imported',
}

function kindOf({ change }: BulkChange): Exclude<BatchKind, 'import'> {
  return change === 'tag' || change === 'untag' ? 'tags' : change
}

async function refuseUnknown(trx: Trx, change: BulkChange): Promise<void> {
  if (change.change === 'stage') await requireStage(trx, change.stageId)
  if (change.change === 'owner' && change.ownerId !== null) await requireOwner(trx, change.ownerId)
}

/** Someone else may have moved or assigned a lead since the person saw it. */
async function refuseConflict(trx: Trx, chosen: RawBuilder<unknown>, change: BulkChange): Promise<void> {
  if ((change.change !== 'stage' && change.change !== 'owner') || change.from === undefined) return
  const { column, valueOf } = fields[change.change]
  const seen = valueOf(sql`to_jsonb(${change.from}::text)`)
  const { count } = await queryRow(
    trx,
    { count: z.number() },
    sql`SELECT count(*) FROM (SELECT lead.${sql.id(column)} AS value ${chosen} FOR UPDATE OF lead) AS now
      WHERE value IS DISTINCT FROM ${seen} AND value IS DISTINCT FROM ${nextOf(change)}`,
  )
  if (count > 0)
    stop('conflict', `Someone else has changed the ${change.change} meanwhile. Look at it before you change it again.`, {
      code: 'fields_changed',
    })
}

/** The condition of the chosen leads. More than the bound are refused, never silently cut. */
async function chosenLeads(trx: Trx, choice: BulkChoice, userId: string): Promise<RawBuilder<unknown>> {
  if ('ids' in choice) return sql`FROM leads AS lead WHERE lead.is_listed AND lead.contact_id = ANY(${choice.ids}::uuid[])`
  const from = sql`FROM ${fromLeads(conditionsOf(choice.filter, userId))}`
  const { count } = await queryRow(trx, { count: z.number() }, sql`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${BULK_MOST + 1}) AS found`)
  if (count > BULK_MOST)
    stop('unprocessable', `Change at most ${numberText(BULK_MOST)} leads at once: filter further.`, { code: 'too_many' })
  if (choice.count !== undefined) requireMatches(count, choice.count, ['lead', 'leads'])
  return from
}

type Batch = { id: string; actorId: string }

/** One statement: the rows, their changes and their events. */
async function setField(
  trx: Trx,
  chosen: RawBuilder<unknown>,
  batch: Batch,
  change: Exclude<BulkChange, { change: 'delete' }>,
): Promise<number> {
  const { column, event } = fields[change.change === 'stage' || change.change === 'owner' ? change.change : 'tags']
  const name = sql.id(column)
  const next = nextOf(change)
  const isStage = change.change === 'stage'
  // Only a lost lead has a reason.
  const reason =
    isStage && sql`CASE (SELECT outcome FROM lead_stages WHERE id = ${next}) WHEN 'lost' THEN ${change.reason || null}::text END`
  const { count } = await queryRow(
    trx,
    { count: z.number() },
    sql`WITH chosen AS (SELECT lead.contact_id, lead.${name} AS before, lead.lost_reason AS reason ${chosen} FOR UPDATE OF lead),
      changed AS (
        UPDATE leads SET ${name} = ${next}, ${reason ? sql`stage_since = now(), lost_reason = ${reason},` : sql``} updated_at = now()
        FROM chosen WHERE leads.contact_id = chosen.contact_id AND chosen.before IS DISTINCT FROM ${next}
        RETURNING leads.contact_id, chosen.before, leads.${name} AS after, chosen.reason AS reason_before, leads.lost_reason AS reason),
      noted AS (
        INSERT INTO lead_events (id, contact_id, kind, actor_id, batch_id, detail)
        SELECT gen_random_uuid(), contact_id, ${event}, ${batch.actorId}::uuid, ${batch.id}::uuid,
          jsonb_build_object('from', before, 'to', after) || ${isStage ? sql`jsonb_strip_nulls(jsonb_build_object('reason', reason, 'reasonBefore', reason_before))` : sql`'{}'`}
        FROM changed
        RETURNING 1)
    SELECT count(*) FROM noted`,
  )
  return count
}

function nextOf(change: Exclude<BulkChange, { change: 'delete' }>): RawBuilder<unknown> {
  switch (change.change) {
    case 'stage':
      return sql`${change.stageId}::integer`
    case 'owner':
      return sql`${change.ownerId}::uuid`
    case 'tag':
      return sql`CASE WHEN ${change.tag} = ANY(chosen.before) OR cardinality(chosen.before) >= ${MOST_TAGS} THEN chosen.before
        ELSE chosen.before || ${change.tag}::text END`
    case 'untag':
      return sql`array_remove(chosen.before, ${change.tag}::text)`
    default:
      return change satisfies never
  }
}

async function deleteLeads(trx: Trx, chosen: RawBuilder<unknown>, batch: Batch): Promise<number> {
  const { count } = await queryRow(
    trx,
    { count: z.number() },
    sql`WITH chosen AS (SELECT lead.contact_id ${chosen}),
      deleted AS (UPDATE contacts SET deleted_at = now() FROM chosen WHERE contacts.id = chosen.contact_id AND deleted_at IS NULL RETURNING contacts.id),
      noted AS (
        INSERT INTO lead_events (id, contact_id, kind, actor_id, batch_id)
        SELECT gen_random_uuid(), id, 'deleted', ${batch.actorId}::uuid, ${batch.id}::uuid FROM deleted RETURNING 1)
    SELECT count(*) FROM noted`,
  )
  return count
}

/** Returns the leads of a batch to what they were. Those that have changed since stay. Once, and within a day. */
export async function undoBatch(id: string, actor: Actor & { id: string }): Promise<{ restored: number; left: number }> {
  const result = await transaction(async (trx) => {
    const batch = await trx
      .updateTable('leadBatches')
      .set({ undoneAt: new Date() })
      .where('id', '=', id)
      .where('kind', '<>', 'import')
      .where('undoneAt', 'is', null)
      .where('createdAt', '>', daysAgo(UNDO_DAYS))
      .returningAll()
      .executeTakeFirst()
    if (!batch) return stop('conflict', 'This change was already undone, or is older than a day.', { code: 'not_undoable' })
    const restored = await restore(trx, batch, actor.id)
    if (restored > 0 && batch.kind === 'stage') await emitBatch(trx, id, { isUndo: true })
    await audit(trx, batch.kind === 'delete' ? 'leads_restored' : 'leads_changed', {
      ...by(actor),
      detail: { undone: id, leads: restored },
    })
    return { restored, left: batch.leads - restored }
  })
  announceLeads()
  return result
}

async function restore(trx: Trx, { id, kind }: Row<'leadBatches'>, actorId: string): Promise<number> {
  const { count } = await queryRow(trx, { count: z.number() }, kind === 'delete' ? undeleted(id, actorId) : reversed(id, kind, actorId))
  return count
}

function undeleted(batchId: string, actorId: string): RawBuilder<unknown> {
  return sql`WITH restored AS (
      UPDATE contacts SET deleted_at = NULL FROM lead_events AS event
      WHERE event.batch_id = ${batchId}::uuid AND event.contact_id = contacts.id AND contacts.deleted_at IS NOT NULL RETURNING contacts.id),
    noted AS (
      INSERT INTO lead_events (id, contact_id, kind, actor_id) SELECT gen_random_uuid(), id, 'restored', ${actorId}::uuid FROM restored RETURNING 1)
  SELECT count(*) FROM noted`
}

function reversed(batchId: string, kind: BatchKind, actorId: string): RawBuilder<unknown> {
  if (kind !== 'stage' && kind !== 'owner' && kind !== 'tags') throw new Error(`A batch of ${kind} is not reversed by its events.`)
  const { column, event: name, valueOf, isPossible = () => sql`true` } = fields[kind]
  const [before, after] = [valueOf(sql`event.detail->'from'`), valueOf(sql`event.detail->'to'`)]
  return sql`WITH restored AS (
      UPDATE leads SET ${sql.id(column)} = ${before}, ${kind === 'stage' ? sql`stage_since = now(), lost_reason = event.detail->>'reasonBefore',` : sql``} updated_at = now()
      FROM lead_events AS event
      WHERE event.batch_id = ${batchId}::uuid AND event.contact_id = leads.contact_id AND leads.${sql.id(column)} IS NOT DISTINCT FROM ${after} AND ${isPossible(before)}
      RETURNING leads.contact_id, event.detail),
    noted AS (
      INSERT INTO lead_events (id, contact_id, kind, actor_id, detail)
      SELECT gen_random_uuid(), contact_id, ${name}, ${actorId}::uuid, jsonb_strip_nulls(detail || jsonb_build_object('from', detail->'to', 'to', detail->'from', 'reason', detail->'reasonBefore', 'reasonBefore', detail->'reason'))
      FROM restored RETURNING 1)
  SELECT count(*) FROM noted`
}
