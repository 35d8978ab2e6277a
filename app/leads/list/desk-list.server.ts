import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Cursor, writeLeadCursor } from './cursor.server.ts'
import { all } from './lead-count.server.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { source, type Source } from '#app/platform/source.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { BOARD_SIZE, type DeskCounts, type DeskFilter, type DeskLead, type DeskQuery } from '#app/leads/lead/desk.ts'
import { readDeskCursor } from './desk-cursor.server.ts'
import { conditionsOf, type DeskConditions, fromLeads } from './desk-filter.server.ts'
import { type DeskOrder, deskOrderOf, pastCursor, readRanked } from './desk-order.server.ts'

/** The first rows along an order show how common the matches are: a millisecond of work. */
const PROBE = 400
/** With common matches, so many rows along the order fill a page: a few milliseconds of work. */
const WINDOW = 2_000
/** Of a search. Up to this many matches are quickly gathered; with more, reading further along the order fills a page sooner. */
const QUICKLY_GATHERED = 3_000
const LONG_WINDOW = 20_000

const columns = sql`lead.contact_id AS id, contact.reference, contact.name, contact.email::text AS email, contact.company, lead.phone, lead.country,
  lead.service_type, lead.form, contact.problem, lead.stage_id, lead.stage_since, lead.owner_id, lead.value_cents, lead.next_step,
  lead.next_step_at, lead.tags, lead.is_starred, contact.answered_at, contact.withdrawn_at, contact.promised_from, contact.came_from, lead.created_at`

const deskRow = {
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  company: z.string().nullable(),
  phone: z.string().nullable(),
  country: z.string(),
  serviceType: z.string().nullable(),
  form: z.string(),
  problem: z.string(),
  stageId: z.number(),
  stageSince: z.date(),
  ownerId: z.string().nullable(),
  valueCents: z.number().nullable(),
  nextStep: z.string().nullable(),
  nextStepAt: z.date().nullable(),
  tags: z.array(z.string()),
  isStarred: z.boolean(),
  answeredAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
  promisedFrom: z.date(),
  cameFrom: z.nullable(source),
  createdAt: z.date(),
}

/** What the list shows, and what only the export has. */
export type ExportedLead = DeskLead & { cameFrom: Source | null }

type DeskRow = z.infer<z.ZodObject<typeof deskRow>>

const keyedRow = { ...deskRow, sortKey: z.string() }

type KeyedRow = z.infer<z.ZodObject<typeof keyedRow>>

type Search = { conditions: DeskConditions; order: DeskOrder; descending: boolean; cursor: Cursor | undefined; limit: number }

/** One page of the matching leads, sorted; with `ids`, only those of them. */
export async function findDeskPage(query: DeskQuery, userId: string, ids?: readonly string[]) {
  const { sort, limit } = query
  const order = await deskOrderOf(sort)
  const cursor = readDeskCursor(sort, query.cursor, order.type)
  const conditions = conditionsOf(query, userId)
  if (ids) conditions.narrow.push(condition`lead.contact_id = ANY(${ids}::uuid[])`)
  // Looking back, the order is reversed.
  const descending = sort.startsWith('-') !== (cursor?.direction === 'before')
  const rows = await findRows({ conditions, order, descending, cursor, limit })
  const back = cursor?.direction === 'before'
  const more = rows.length > limit
  const shown = rows.slice(0, limit)
  if (back) shown.reverse()
  const edge = (row: KeyedRow | undefined, direction: Cursor['direction']) =>
    row ? writeLeadCursor(sort, { direction, key: row.sortKey, id: row.id }) : null
  return {
    leads: shown.map(toDeskLead),
    previousCursor: (back ? more : cursor) ? edge(shown[0], 'before') : null,
    nextCursor: (back ? true : more) ? edge(shown.at(-1), 'after') : null,
  }
}

/** Common matches are found along the order, rare ones by their index; neither is quick for both. */
async function findRows(search: Search): Promise<KeyedRow[]> {
  const { conditions, limit } = search
  if (conditions.narrow.length + conditions.wide.length === 0) return walk(search, limit + 1)
  const first = await walk(search, PROBE)
  if (first.length > limit) return first
  const share = first.length / PROBE
  // Twice as many as a page needs: matches are not spread evenly.
  if (share * WINDOW > 2 * limit) {
    const near = await walk(search, WINDOW)
    if (near.length > limit) return near
  }
  if (conditions.isSearch && share * (await countLeads()) > QUICKLY_GATHERED) {
    const far = await walk(search, LONG_WINDOW)
    if (far.length > limit) return far
  }
  return gather(search)
}

/** Reads along the index of the order, and collects matches. The fence (`OFFSET 0`) makes the database look up the other table row by row. */
async function walk(search: Search, window: number): Promise<KeyedRow[]> {
  const { conditions, limit, order } = search
  const { key, of, ranked } = order
  const { id, direction, past } = termsOf(search)
  const leads = ranked
    ? readRanked(order, { ...search, limit: window })
    : sql`SELECT *, ${key} AS ordered FROM leads AS lead WHERE lead.is_listed AND ${past} ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${window}`
  const near =
    of === 'lead'
      ? sql`(${leads}) AS lead
        CROSS JOIN LATERAL (SELECT * FROM contacts WHERE contacts.id = lead.contact_id OFFSET 0) AS contact`
      : sql`(SELECT *, ${key} AS ordered FROM contacts AS contact WHERE contact.quarantined_at IS NULL AND contact.deleted_at IS NULL AND ${past}
          ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${window}) AS contact
        CROSS JOIN LATERAL (SELECT * FROM leads WHERE leads.contact_id = contact.id OFFSET 0) AS lead`
  return queryRowsBehind(
    keyedRow,
    sql`SELECT ${columns}, ordered::text AS sort_key FROM ${near} WHERE ${all([...conditions.narrow, ...conditions.wide])}
      ORDER BY ordered ${direction}, ${id} ${direction} LIMIT ${limit + 1}`,
  )
}

/** Gathers all matches and sorts them. The long texts are read for the page only. */
async function gather(search: Search): Promise<KeyedRow[]> {
  const { conditions, limit, order } = search
  const { direction, past } = termsOf(search)
  const found = sql`SELECT lead.contact_id AS id, ${order.key} AS ordered FROM ${fromLeads(conditions, order.of === 'contact')} AND ${past} OFFSET 0`
  return queryRowsBehind(
    keyedRow,
    sql`SELECT ${columns}, ordered::text AS sort_key
      FROM (SELECT * FROM (${found}) AS found ORDER BY ordered ${direction}, id ${direction} LIMIT ${limit + 1}) AS page
      JOIN leads AS lead ON lead.contact_id = page.id JOIN contacts AS contact ON contact.id = page.id
      ORDER BY page.ordered ${direction}, page.id ${direction}`,
  )
}

function termsOf({ order, descending, cursor }: Search) {
  const id = sql.raw(order.of === 'lead' ? 'lead.contact_id' : 'contact.id')
  return { id, direction: sql.raw(descending ? 'DESC' : 'ASC'), past: pastCursor(order, { descending, cursor }) }
}

const counted = { id: z.number(), count: z.number(), valueCents: z.number() }
const sums = sql`lead.stage_id AS id, count(*) AS count, coalesce(sum(lead.value_cents), 0)::bigint AS value_cents`

/** The matches by stage. */
export async function countDesk(filter: DeskFilter, userId: string): Promise<DeskCounts> {
  const conditions = conditionsOf(filter, userId)
  if (conditions.narrow.length + conditions.wide.length === 0) return countAll()
  if (await isCommon(conditions)) return estimateCounts(conditions)
  return totalled(await queryRowsBehind(counted, sql`SELECT ${sums} FROM ${fromLeads(conditions)} GROUP BY 1`))
}

const countAll = rememberCount(
  async () => totalled(await queryRowsBehind(counted, sql`SELECT ${sums} FROM leads AS lead WHERE lead.is_listed GROUP BY 1`)),
  ({ total }) => total,
)

const countLeads = async () => (await countAll()).total

function totalled(stages: DeskCounts['stages'], isExact = true): DeskCounts {
  return { total: stages.reduce((sum, { count }) => sum + count, 0), isExact, stages }
}

/** The newest leads with their texts. */
function newest(window: number): RawBuilder<unknown> {
  return sql`(SELECT * FROM leads WHERE is_listed ORDER BY created_at DESC, contact_id DESC LIMIT ${window}) AS lead
    CROSS JOIN LATERAL (SELECT * FROM contacts WHERE contacts.id = lead.contact_id OFFSET 0) AS contact`
}

/** Whether a search has so many matches that counting them would take long. */
async function isCommon({ isSearch, wide }: DeskConditions): Promise<boolean> {
  if (!isSearch) return false
  const listed = await countLeads()
  if (listed <= WINDOW) return false
  const [found] = await queryRowsBehind({ count: z.number() }, sql`SELECT count(*) FROM ${newest(PROBE)} WHERE ${all(wide)}`)
  return ((found?.count ?? 0) / PROBE) * listed > QUICKLY_GATHERED
}

/** Extrapolated from the newest leads, to two digits. */
async function estimateCounts({ narrow, wide }: DeskConditions): Promise<DeskCounts> {
  const factor = (await countLeads()) / WINDOW
  const stages = await queryRowsBehind(counted, sql`SELECT ${sums} FROM ${newest(WINDOW)} WHERE ${all([...narrow, ...wide])} GROUP BY 1`)
  const scaled = (value: number) => Number((value * factor).toPrecision(2))
  return totalled(
    stages.map(({ id, count, valueCents }) => ({ id, count: scaled(count), valueCents: scaled(valueCents) })),
    false,
  )
}

/** The first leads of each stage, latest in it first; of one stage, those after a position. */
export async function readBoard(filter: DeskFilter, userId: string) {
  const conditions = conditionsOf(filter, userId)
  const stages = await listStages()
  const isRare = conditions.isSearch && !(await isCommon(conditions))
  const ids = stages.map(({ id }) => id)
  const rows = await queryRowsBehind(deskRow, isRare ? gatheredBoard(conditions) : boardQuery(conditions, ids))
  return {
    stages: stages.map(({ id }) => {
      const own = rows.filter(({ stageId }) => stageId === id)
      return { id, leads: own.slice(0, BOARD_SIZE).map(toDeskLead), hasMore: own.length > BOARD_SIZE }
    }),
  }
}

/** The few matches of a search, numbered in their stage: so no stage is read to its end. */
function gatheredBoard(conditions: DeskConditions): RawBuilder<unknown> {
  return sql`SELECT ${columns} FROM (
      SELECT lead.*, row_number() OVER (PARTITION BY lead.stage_id ORDER BY lead.stage_since DESC, lead.contact_id DESC) AS place
      FROM ${fromLeads(conditions)}) AS lead
    JOIN contacts AS contact ON contact.id = lead.contact_id WHERE lead.place <= ${BOARD_SIZE + 1}
    ORDER BY lead.stage_id, lead.stage_since DESC, lead.contact_id DESC`
}

function boardQuery({ narrow, wide }: DeskConditions, stageIds: number[]): RawBuilder<unknown> {
  const joined = wide.length > 0 ? sql`leads AS lead JOIN contacts AS contact ON contact.id = lead.contact_id` : sql`leads AS lead`
  return sql`SELECT ${columns} FROM unnest(${stageIds}::integer[]) AS stage (id)
    CROSS JOIN LATERAL (SELECT lead.* FROM ${joined} WHERE lead.stage_id = stage.id AND lead.is_listed AND ${all([...narrow, ...wide])}
      ORDER BY lead.stage_since DESC, lead.contact_id DESC LIMIT ${BOARD_SIZE + 1}) AS lead
    JOIN contacts AS contact ON contact.id = lead.contact_id
    ORDER BY lead.stage_id, lead.stage_since DESC, lead.contact_id DESC`
}

function toDeskLead({ stageSince, nextStepAt, answeredAt, withdrawnAt, promisedFrom, createdAt, ...row }: DeskRow): ExportedLead {
  return {
    ...row,
    stageSince: stageSince.toISOString(),
    nextStepAt: nextStepAt?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    promisedFrom: promisedFrom.toISOString(),
    createdAt: createdAt.toISOString(),
  }
}
