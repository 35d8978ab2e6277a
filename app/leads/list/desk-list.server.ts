import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import {
  all,
  type Conditions,
  directionOf,
  findPage,
  idOf,
  inOrder,
  isCommon,
  isEverything,
  type ListSource,
  pastCursor,
  sampleOf,
} from './list-search.server.ts'
import { oneTable } from './one-table.server.ts'
import { factColumns, rowOf } from '#app/leads/lead/fact-column.server.ts'
import { leadFacts } from '#app/leads/lead/lead-facts.ts'
import { rememberCount } from '#app/leads/lead/remembered.server.ts'
import { listStages } from '#app/leads/lead/stage.server.ts'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { source, type Source } from '#app/platform/http/source.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { BOARD_SIZE, type DeskCounts, type DeskExportQuery, type DeskFilter, type DeskLead, type DeskQuery } from '#app/leads/lead/desk.ts'
import { conditionsOf, fromFewLeads, fromLeads, isListedEnquiry } from './desk-filter.server.ts'
import { deskOrderOf, readRanked } from './desk-order.server.ts'

const columnsOf = (
  facts: RawBuilder<unknown>,
) => sql`lead.contact_id AS id, contact.reference, ${facts}, lead.stage_since, contact.answered_at, contact.withdrawn_at,
  contact.promised_from, contact.came_from, lead.created_at`

const columns = columnsOf(factColumns({ isList: true }))
const wholeColumns = columnsOf(factColumns({ isList: false }))

const deskRow = z.object({
  id: z.string(),
  reference: z.string(),
  ...rowOf(leadFacts),
  stageSince: z.date(),
  answeredAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
  promisedFrom: z.date(),
  cameFrom: z.nullable(source),
  createdAt: z.date(),
})

/** What the list shows, and what only the export has. */
export type ExportedLead = DeskLead & { cameFrom: Source | null }

type DeskRow = z.infer<typeof deskRow>

const keyedRow = z.object({ ...deskRow.shape, sortKey: z.string() })

/** Leads with their enquiries. The fence (`OFFSET 0`) makes the database look up the other table row by row. */
export const leadSource: ListSource = {
  along(search, window) {
    const { order } = search
    const { key, of, ranked } = order
    const [id, direction, past] = [idOf(order), directionOf(search), pastCursor(search)]
    if (of === 'contact')
      return sql`(SELECT *, ${key} AS ordered FROM contacts AS contact WHERE contact.quarantined_at IS NULL AND contact.deleted_at IS NULL AND ${past}
          ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${window}) AS contact
        CROSS JOIN LATERAL (SELECT * FROM leads WHERE leads.contact_id = contact.id OFFSET 0) AS lead`
    const leads = ranked
      ? readRanked(ranked, search, window)
      : sql`SELECT *, ${key} AS ordered FROM leads AS lead WHERE lead.is_listed AND ${past} ORDER BY ${key} ${direction}, ${id} ${direction} LIMIT ${window}`
    return withContact(leads)
  },
  matches: (conditions) => sql`FROM ${fromLeads(conditions, true)}`,
  few: (conditions, hasContact) => sql`FROM ${fromFewLeads(conditions, hasContact)}`,
  joined: sql`JOIN leads AS lead ON lead.contact_id = page.id JOIN contacts AS contact ON contact.id = page.id`,
  newest(window, hasContact) {
    const leads = sql`SELECT * FROM leads WHERE is_listed ORDER BY created_at DESC, contact_id DESC LIMIT ${window}`
    return hasContact ? withContact(leads) : sql`(${leads}) AS lead`
  },
  countAll: async () => (await countAll()).total,
}

function withContact(leads: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${leads}) AS lead CROSS JOIN LATERAL (SELECT * FROM contacts WHERE contacts.id = lead.contact_id OFFSET 0) AS contact`
}

/** Enquiries without the work of staff on them: without the second table, a search reads a tenth and a file of 100,000 takes half the time. */
export const enquirySource = oneTable({ table: 'contacts', of: 'contact', isListed: isListedEnquiry, countAll: leadSource.countAll })

const readKeyed = async (asked: RawBuilder<unknown>) => queryRowsBehind(keyedRow, asked)

/** One page of the matching leads, sorted. */
export async function findDeskPage(query: DeskQuery, userId: string) {
  const {
    rows,
    matchCount: _count,
    ...page
  } = await findPage({
    ...query,
    source: leadSource,
    columns,
    read: readKeyed,
    order: await deskOrderOf(query.sort),
    conditions: conditionsOf(query, userId),
  })
  return { leads: rows.map(toDeskLead), ...page }
}

/** All matching leads in their order with the whole of their messages, or only those of them with these ids. */
export async function* readDesk({ ids, sort, ...filter }: Omit<DeskExportQuery, 'format'>, userId: string): AsyncGenerator<ExportedLead[]> {
  const conditions = conditionsOf(filter, userId)
  if (ids) conditions.narrow.push(condition`lead.contact_id = ANY(${ids.split(',')}::uuid[])`)
  const order = await deskOrderOf(sort)
  for await (const rows of inOrder({ source: leadSource, columns: wholeColumns, read: readKeyed, sort, order, conditions }))
    yield rows.map(toDeskLead)
}

const counted = z.object({ id: z.number(), count: z.number(), valueCents: z.number() })
const sums = sql`lead.stage_id AS id, count(*) AS count, coalesce(sum(lead.value_cents), 0)::bigint AS value_cents`

/** The matches by stage. */
export async function countDesk(filter: DeskFilter, userId: string): Promise<DeskCounts> {
  const conditions = conditionsOf(filter, userId)
  if (isEverything(conditions)) return countAll()
  if (await isCommon(enquirySource, conditions)) return estimateCounts(conditions)
  return totalled(await queryRowsBehind(counted, sql`SELECT ${sums} FROM ${fromFewLeads(conditions)} GROUP BY 1`))
}

const countAll = rememberCount(
  async () => totalled(await queryRowsBehind(counted, sql`SELECT ${sums} FROM leads AS lead WHERE lead.is_listed GROUP BY 1`)),
  ({ total }) => total,
)

function totalled(stages: DeskCounts['stages'], isExact = true): DeskCounts {
  return { total: stages.reduce((sum, { count }) => sum + count, 0), isExact, stages }
}

/** Extrapolated from the newest leads, to two digits. */
async function estimateCounts({ narrow, wide }: Conditions): Promise<DeskCounts> {
  const { rows, factor } = await sampleOf(leadSource)
  const stages = await queryRowsBehind(counted, sql`SELECT ${sums} FROM ${rows} WHERE ${all([...narrow, ...wide])} GROUP BY 1`)
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
  const isRare = conditions.isSearch && !(await isCommon(enquirySource, conditions))
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
function gatheredBoard(conditions: Conditions): RawBuilder<unknown> {
  return sql`SELECT ${columns} FROM (
      SELECT lead.*, row_number() OVER (PARTITION BY lead.stage_id ORDER BY lead.stage_since DESC, lead.contact_id DESC) AS place
      FROM ${fromFewLeads(conditions)}) AS lead
    JOIN contacts AS contact ON contact.id = lead.contact_id WHERE lead.place <= ${BOARD_SIZE + 1}
    ORDER BY lead.stage_id, lead.stage_since DESC, lead.contact_id DESC`
}

function boardQuery({ narrow, wide }: Conditions, stageIds: number[]): RawBuilder<unknown> {
  const joined = wide.length > 0 ? sql`leads AS lead JOIN contacts AS contact ON contact.id = lead.contact_id` : sql`leads AS lead`
  return sql`SELECT ${columns} FROM unnest(${stageIds}::integer[]) AS stage (id)
    CROSS JOIN LATERAL (SELECT lead.* FROM ${joined} WHERE lead.stage_id = stage.id AND lead.is_listed AND ${all([...narrow, ...wide])}
      ORDER BY lead.stage_since DESC, lead.contact_id DESC LIMIT ${BOARD_SIZE + 1}) AS lead
    JOIN contacts AS contact ON contact.id = lead.contact_id
    ORDER BY lead.stage_id, lead.stage_since DESC, lead.contact_id DESC`
}

function toDeskLead({ stageSince, answeredAt, withdrawnAt, promisedFrom, createdAt, ...row }: DeskRow): ExportedLead {
  return {
    ...row,
    stageSince: stageSince.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
    withdrawnAt: withdrawnAt?.toISOString() ?? null,
    promisedFrom: promisedFrom.toISOString(),
    createdAt: createdAt.toISOString(),
  }
}
