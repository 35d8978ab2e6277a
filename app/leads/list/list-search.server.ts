import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { queryRowsBehind } from '#app/platform/database/replica.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { inBatches } from '#app/platform/tables/list-file.server.ts'
import { type Cursor, type CursorType, readListCursor, writeListCursor } from './cursor.server.ts'

/** The first rows along an order show how common the matches are: a millisecond of work. */
const PROBE = 400
/** With common matches, so many rows along the order fill a page: a few milliseconds of work. */
const WINDOW = 2_000
/** Of a search. Up to this many matches are quickly gathered; with more, reading further along the order fills a page sooner. */
const QUICKLY_GATHERED = 3_000
const LONG_WINDOW = 20_000

/** `narrow` conditions read `lead`, a row of `leads`; `wide` ones only `contact`, its enquiry. */
export type Conditions = { narrow: RawBuilder<boolean>[]; wide: RawBuilder<boolean>[]; isSearch: boolean }

/** An order of a list. Every key has its index. */
export type ListOrder = {
  /** The name of the table in the query. */
  of: 'lead' | 'contact' | 'consultation'
  key: RawBuilder<unknown>
  type: CursorType
  /** The values of a column in the order that people have given them. The index has the rows of each value by their id. */
  ranked?: { column: RawBuilder<unknown>; type: 'integer' | 'uuid'; values: readonly (number | string | null)[] }
}

export type ListSearch = { conditions: Conditions; order: ListOrder; descending: boolean; cursor: Cursor | undefined; limit: number }

/** A list that the database keeps in order: what its queries read. */
export type ListSource = {
  /** So many rows along the order, from the cursor on, joined with the other table; `ordered` is the key. */
  along: (search: ListSearch, window: number) => RawBuilder<unknown>
  /** All matches with their enquiries, as FROM and WHERE, in the way that the database thinks best. */
  matches: (conditions: Conditions) => RawBuilder<unknown>
  /** The same when they are few. The enquiry is there where a condition needs it, and with `hasContact`. */
  few: (conditions: Conditions, hasContact?: boolean) => RawBuilder<unknown>
  /** The rows of a page, joined by its ids. */
  joined: RawBuilder<unknown>
  /** The newest rows. The enquiry is there with `hasContact`. */
  newest: (window: number, hasContact: boolean) => RawBuilder<unknown>
  countAll: () => Promise<number>
}

/** `matchCount`: of all pages. */
type Keyed = { id: string; sortKey: string; matchCount?: number | undefined }

type Wanted<Row extends Keyed> = {
  source: ListSource
  /** The values of a row, and the check of the rows. */
  columns: RawBuilder<unknown>
  read: (query: RawBuilder<unknown>) => Promise<Row[]>
  sort: string
  order: ListOrder
  conditions: Conditions
  cursor?: string | undefined
  limit: number
  /** Whether the page should tell how many matches there are, if all of them had to be gathered for it. */
  isCounted?: boolean
}

/** One page of the matches, sorted. An invalid cursor stops as a bad request. */
export async function findPage<Row extends Keyed>({ sort, cursor: given, ...wanted }: Wanted<Row>) {
  const { limit, order } = wanted
  const cursor = readListCursor(sort, given, order.type)
  // Looking back, the order is reversed.
  const descending = sort.startsWith('-') !== (cursor?.direction === 'before')
  const rows = await findRows({ ...wanted, descending, cursor })
  const back = cursor?.direction === 'before'
  const more = rows.length > limit
  const shown = rows.slice(0, limit)
  if (back) shown.reverse()
  const edge = (row: Keyed | undefined, direction: Cursor['direction']) =>
    row ? writeListCursor(sort, { direction, key: row.sortKey, id: row.id }) : null
  return {
    rows: shown,
    /** Undefined: not all of them were gathered and counted. */
    matchCount: cursor || more ? shown[0]?.matchCount : rows.length,
    previousCursor: (back ? more : cursor) ? edge(shown[0], 'before') : null,
    nextCursor: (back ? true : more) ? edge(shown.at(-1), 'after') : null,
  }
}

type Search<Row extends Keyed> = ListSearch & Pick<Wanted<Row>, 'source' | 'columns' | 'read' | 'isCounted'>

/** Common matches are found along the order, rare ones by their index; neither is quick for both. */
async function findRows<Row extends Keyed>(search: Search<Row>): Promise<Row[]> {
  const { conditions, limit, source } = search
  if (isEverything(conditions)) return walk(search, limit + 1)
  const first = await walk(search, PROBE)
  if (first.length > limit) return first
  const share = first.length / PROBE
  // Twice as many as a page needs: matches are not spread evenly.
  if (share * WINDOW > 2 * limit) {
    const near = await walk(search, WINDOW)
    if (near.length > limit) return near
  }
  if (conditions.isSearch && share * (await source.countAll()) > QUICKLY_GATHERED) {
    const far = await walk(search, LONG_WINDOW)
    if (far.length > limit) return far
  }
  return gather(search)
}

/** Reads along the index of the order, and collects matches. */
async function walk<Row extends Keyed>(search: Search<Row>, window: number): Promise<Row[]> {
  const { conditions, limit, order, source, columns, read } = search
  const direction = directionOf(search)
  return read(
    sql`SELECT ${columns}, ordered::text AS sort_key FROM ${source.along(search, window)}
      WHERE ${all([...conditions.narrow, ...conditions.wide])} ORDER BY ordered ${direction}, ${idOf(order)} ${direction} LIMIT ${limit + 1}`,
  )
}

/** Gathers all matches, sorts them, and counts them if asked. The long texts are read for the page only. */
async function gather<Row extends Keyed>(search: Search<Row>): Promise<Row[]> {
  const { conditions, limit, order, source, columns, read, isCounted } = search
  const direction = directionOf(search)
  const count = isCounted ? sql`count(*) OVER ()` : sql`NULL`
  const found = sql`SELECT ${idOf(order)} AS id, ${order.key} AS ordered, ${count} AS match_count
    ${source.few(conditions, order.of === 'contact')} OFFSET 0`
  return read(
    sql`SELECT ${columns}, ordered::text AS sort_key, page.match_count
      FROM (SELECT * FROM (${found}) AS found WHERE ${past(search, sql`ordered`, sql`id`)}
        ORDER BY ordered ${direction}, id ${direction} LIMIT ${limit + 1}) AS page ${source.joined}
      ORDER BY page.ordered ${direction}, page.id ${direction}`,
  )
}

/** All matches, sorted, in batches for a file. Each begins after the last row of the one before. */
export function inOrder<Row extends Keyed>({ sort, ...wanted }: Omit<Wanted<Row>, 'cursor' | 'limit'>): AsyncGenerator<Row[]> {
  const descending = sort.startsWith('-')
  return inBatches(async (last: Row | undefined, limit) => {
    const cursor = last && { direction: 'after' as const, key: last.sortKey, id: last.id }
    return readBatch({ ...wanted, descending, cursor, limit })
  })
}

/** Without conditions along the index of the order, otherwise as the database finds them soonest. */
async function readBatch<Row extends Keyed>(search: Search<Row>): Promise<Row[]> {
  const { conditions, limit, order, source, columns, read } = search
  if (isEverything(conditions)) return walk(search, limit)
  const direction = directionOf(search)
  return read(
    sql`SELECT ${columns}, (${order.key})::text AS sort_key ${source.matches(conditions)} AND ${pastCursor(search)}
      ORDER BY ${order.key} ${direction}, ${idOf(order)} ${direction} LIMIT ${limit}`,
  )
}

type FoundTotal = { total: number; isTotalExact: boolean }

/** One page and the number of all matches: exact when they are few, else extrapolated from the newest rows, to two digits. */
export async function findCounted<Row extends Keyed>(wanted: Omit<Wanted<Row>, 'isCounted'>) {
  const { matchCount, ...page } = await findPage({ ...wanted, isCounted: true })
  const total = matchCount === undefined ? await countFound(wanted.source, wanted.conditions) : { total: matchCount, isTotalExact: true }
  return { ...page, ...total }
}

async function countFound(source: ListSource, conditions: Conditions): Promise<FoundTotal> {
  const listed = await source.countAll()
  if (isEverything(conditions)) return { total: listed, isTotalExact: true }
  if (listed > WINDOW) {
    const share = await shareOf(source, conditions, WINDOW)
    if (share * listed >= QUICKLY_GATHERED) return { total: Number((share * listed).toPrecision(2)), isTotalExact: false }
  }
  return { total: await countRows(source.few(conditions)), isTotalExact: true }
}

/** Whether a search has so many matches that counting them would take long. */
export async function isCommon(source: ListSource, { isSearch, wide }: Conditions): Promise<boolean> {
  if (!isSearch) return false
  const listed = await source.countAll()
  return listed > WINDOW && (await shareOf(source, { isSearch, narrow: [], wide }, PROBE)) * listed > QUICKLY_GATHERED
}

/** The newest rows with their enquiries, from which counts are extrapolated, and the factor to do it. */
export async function sampleOf(source: ListSource) {
  return { rows: source.newest(WINDOW, true), factor: (await source.countAll()) / WINDOW }
}

export const isEverything = ({ narrow, wide }: Conditions) => narrow.length + wide.length === 0

export function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` AND `)}`
}

async function shareOf(source: ListSource, { narrow, wide }: Conditions, window: number): Promise<number> {
  return (await countRows(sql`FROM ${source.newest(window, wide.length > 0)} WHERE ${all([...narrow, ...wide])}`)) / window
}

const countedRow = z.object({ count: z.number() })

export async function countRows(from: RawBuilder<unknown>): Promise<number> {
  const [counted] = await queryRowsBehind(countedRow, sql`SELECT count(*) ${from}`)
  return counted?.count ?? 0
}

export const directionOf = ({ descending }: Pick<ListSearch, 'descending'>) => sql.raw(descending ? 'DESC' : 'ASC')
export const idOf = ({ of }: ListOrder) => sql.raw(of === 'lead' ? 'lead.contact_id' : `${of}.id`)

/** The condition of a row that comes after the cursor. */
export const pastCursor = (search: Positioned) => past(search, search.order.key, idOf(search.order))

type Positioned = Pick<ListSearch, 'order' | 'descending' | 'cursor'>

function past({ order, descending, cursor }: Positioned, key: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<boolean> {
  if (!cursor) return condition`true`
  return condition`(${key}, ${id}) ${sql.raw(descending ? '<' : '>')} (${cursor.key}::${sql.raw(order.type)}, ${cursor.id}::uuid)`
}
