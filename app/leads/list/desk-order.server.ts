import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { deskColumns, type DeskQuery } from '#app/leads/lead/desk.ts'
import { orderOf } from '#app/leads/lead/fact-column.server.ts'
import type { ListOrder, ListSearch } from './list-search.server.ts'
import { listLeadOwners } from '#app/leads/lead/desk-fact.server.ts'

/** The orders that are not by a fact alone. */
const orders = new Map<string, ListOrder>([
  ['created', { of: 'lead', key: sql`lead.created_at`, type: 'timestamptz' }],
  ['stageSince', { of: 'lead', key: sql`lead.stage_since`, type: 'timestamptz' }],
  ['name', orderOf('name')],
])

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const owner = sql`lead.owner_id`

export async function deskOrderOf(sort: DeskQuery['sort']): Promise<ListOrder> {
  const name = sort.replace(/^-/, '')
  if (name === 'stage')
    return rankedOrder({ column: sql`lead.stage_id`, type: 'integer', values: (await listStages()).map(({ id }) => id) })
  if (name === 'owner') return rankedOrder({ column: owner, type: 'uuid', values: await ownersInOrder() })
  const fact = deskColumns.find((column) => column.sort === name)?.name
  const order = orders.get(name) ?? (fact && orderOf(fact))
  if (!order) throw new Error(`Leads have no order by ${name}.`)
  return order
}

/** A value of the column that is not listed comes last: it was added a moment ago. */
function rankedOrder(ranked: NonNullable<ListOrder['ranked']>): ListOrder {
  const { column, type, values } = ranked
  const rank = sql`coalesce(array_position(${values}::${sql.raw(type)}[], ${column}), ${sql.lit(values.length + 1)})::bigint`
  return { of: 'lead', key: rank, type: 'bigint', ranked }
}

/** By name, then accounts that can no longer own leads, then unassigned leads. The owners in use are found by jumps along the index. */
async function ownersInOrder(): Promise<(string | null)[]> {
  const used = await queryRowsBehind(
    { id: z.string() },
    sql`WITH RECURSIVE used (id) AS (
        (SELECT owner_id FROM leads WHERE is_listed AND owner_id IS NOT NULL ORDER BY owner_id LIMIT 1)
        UNION ALL SELECT (SELECT owner_id FROM leads WHERE is_listed AND owner_id > used.id ORDER BY owner_id LIMIT 1)
          FROM used WHERE used.id IS NOT NULL)
      SELECT id FROM used WHERE id IS NOT NULL`,
  )
  const known = (await listLeadOwners()).map(({ id }) => id)
  const inUse = new Set(used.map(({ id }) => id))
  const former = [...inUse].filter((id) => !known.includes(id))
  return [...known.filter((id) => inUse.has(id)), ...former, null]
}

/**
 * The listed leads along a ranked order, from a position on. The values come in their order, so the database sorts only within each value,
 * and stops where it has enough.
 */
export function readRanked(
  ranked: NonNullable<ListOrder['ranked']>,
  { descending, cursor }: ListSearch,
  limit: number,
): RawBuilder<unknown> {
  const { column, type, values } = ranked
  const at = cursor ? Number(cursor.key) : undefined
  const steps = values
    .map((value, index) => ({ value, rank: index + 1 }))
    .filter(({ rank }) => at === undefined || (descending ? rank <= at : rank >= at))
    .map(({ value, rank }) => ({ value, rank, from: cursor && rank === at ? cursor.id : descending ? LAST_ID : FIRST_ID }))
  if (descending) steps.reverse()
  const [compare, direction] = [sql.raw(descending ? '<' : '>'), sql.raw(descending ? 'DESC' : 'ASC')]
  const lists = sql`${steps.map(({ value }) => value)}::${sql.raw(type)}[], ${steps.map(({ rank }) => rank)}::bigint[], ${steps.map(({ from }) => from)}::uuid[]`
  // No index finds `IS NOT DISTINCT FROM`, so the rows without a value are read apart.
  const rowsWith = (value: RawBuilder<unknown>) =>
    sql`(SELECT * FROM leads AS lead WHERE lead.is_listed AND ${value} AND lead.contact_id ${compare} step.from_id
      ORDER BY lead.contact_id ${direction} LIMIT ${limit})`
  return sql`SELECT lead.*, step.rank AS ordered
    FROM unnest(${lists}) WITH ORDINALITY AS step (value, rank, from_id, nth)
    CROSS JOIN LATERAL (${rowsWith(sql`${column} = step.value`)} UNION ALL ${rowsWith(sql`${column} IS NULL AND step.value IS NULL`)}) AS lead
    ORDER BY step.nth, lead.contact_id ${direction} LIMIT ${limit}`
}
