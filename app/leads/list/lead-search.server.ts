import { type RawBuilder, sql } from 'kysely'
import { readBehind } from '#app/platform/database/replica.server.ts'
import { type Cursor, readLeadCursor, writeLeadCursor } from './cursor.server.ts'
import { all, countListed, estimateFound, type FoundTotal } from './lead-count.server.ts'
import type { LeadSort } from './lead-query.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import type { LeadExportTable } from './lead-table.server.ts'

/** The rows that are scanned in order before anything else is tried: a few milliseconds of work. */
const WINDOW = 2_000
/** Up to this many matches are quickly gathered and sorted. With more, scanning further fills a page sooner. */
const QUICKLY_GATHERED = 3_000
const LONG_WINDOW = 20_000

export type Search<Column extends string> = {
  table: LeadExportTable<Column>
  sort: LeadSort<Column>
  cursor: string | undefined
  limit: number
  /** Further conditions of the search, each served by an index. */
  conditions: RawBuilder<boolean>[]
}

type Keyed = { id: string; sortKey: string }
type Found<Row> = { rows: Row[]; previousCursor: string | null; nextCursor: string | null } & FoundTotal
type Hits<Row> = { rows: (Row & Keyed)[]; total?: FoundTotal }

/** One page of the matches, sorted, and their total. */
export async function findPage<Row, Column extends string>(search: Search<Column>): Promise<Found<Row>> {
  const cursor = readLeadCursor(search.sort, search.cursor)
  const { rows, total } = await findRows<Row, Column>(search, cursor)
  const back = cursor?.direction === 'before'
  const more = rows.length > search.limit
  const shown = rows.slice(0, search.limit)
  if (back) shown.reverse()
  const edge = (row: Keyed | undefined, direction: Cursor['direction']) =>
    row ? writeLeadCursor(search.sort, { direction, key: row.sortKey, id: row.id }) : null
  return {
    rows: shown,
    previousCursor: (back ? more : cursor) ? edge(shown[0], 'before') : null,
    nextCursor: (back ? true : more) ? edge(shown.at(-1), 'after') : null,
    ...(total ?? (await estimateFound(search.table, search.conditions, WINDOW))),
  }
}

/** Common words are found by scanning in order, rare ones by their index; neither is quick for both. */
async function findRows<Row, Column extends string>(search: Search<Column>, cursor: Cursor | undefined): Promise<Hits<Row>> {
  const listed = await countListed(search.table)
  if (search.conditions.length === 0) {
    return { rows: await walk(search, cursor, search.limit + 1), total: { total: listed, isTotalExact: true } }
  }
  const near = await walk<Row, Column>(search, cursor, WINDOW)
  if (near.length > search.limit) return { rows: near }
  if ((near.length / WINDOW) * listed > QUICKLY_GATHERED) {
    const far = await walk<Row, Column>(search, cursor, LONG_WINDOW)
    if (far.length > search.limit) return { rows: far }
  }
  return gather(search, cursor)
}

/** Scans in order from the cursor and collects matches, up to a number of rows. */
async function walk<Row, Column extends string>(
  search: Search<Column>,
  cursor: Cursor | undefined,
  window: number,
): Promise<(Row & Keyed)[]> {
  const { table, conditions, limit } = search
  const { key, direction, past } = orderOf(search, cursor)
  const name = sql.table(table.name)
  const { rows } = await readBehind(sql<Row & Keyed>`
    SELECT ${table.columns}, ${sortKey(search)}
    FROM (
      SELECT *, ${key} AS ordered FROM ${name}
      WHERE ${table.listed} AND ${past(key)} ORDER BY ${key} ${direction}, id ${direction} LIMIT ${window}
    ) AS ${name}
    WHERE ${all(conditions)} ORDER BY ordered ${direction}, id ${direction} LIMIT ${limit + 1}`)
  return rows
}

/** Gathers all matches, counts and sorts them. */
async function gather<Row, Column extends string>(search: Search<Column>, cursor: Cursor | undefined): Promise<Hits<Row>> {
  const { table, conditions, limit } = search
  const { key, direction, past } = orderOf(search, cursor)
  const name = sql.table(table.name)
  const { rows } = await readBehind(sql<Row & Keyed & { total: number }>`
    WITH found AS MATERIALIZED (SELECT id, ${key} AS ordered FROM ${name} WHERE ${table.listed} AND ${all(conditions)})
    SELECT ${table.columns}, ${sortKey(search)}, (SELECT count(*) FROM found) AS total
    FROM (SELECT * FROM found WHERE ${past(sql`ordered`)} ORDER BY ordered ${direction}, id ${direction} LIMIT ${limit + 1}) AS page
    JOIN ${name} USING (id) ORDER BY page.ordered ${direction}, page.id ${direction}`)
  const [first] = rows
  return first || !cursor ? { rows, total: { total: first?.total ?? 0, isTotalExact: true } } : { rows }
}

/** The order of a search from its cursor: looking back, it is reversed. */
function orderOf<Column extends string>({ table, sort }: Search<Column>, cursor: Cursor | undefined) {
  const { key, type } = table.orders[columnOf(table, sort)]
  const descending = sort.startsWith('-') !== (cursor?.direction === 'before')
  const past = (expression: RawBuilder<unknown>) =>
    cursor
      ? condition`(${expression}, id) ${sql.raw(descending ? '<' : '>')} (${cursor.key}::${sql.raw(type)}, ${cursor.id}::uuid)`
      : condition`true`
  return { key, direction: sql.raw(descending ? 'DESC' : 'ASC'), past }
}

function sortKey<Column extends string>({ table, sort }: Search<Column>): RawBuilder<string> {
  if (table.orders[columnOf(table, sort)].type === 'text') return sql`ordered AS sort_key`
  return sql`to_char(ordered AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS sort_key`
}

function columnOf<Column extends string>(table: LeadExportTable<Column>, sort: LeadSort<Column>): Column {
  const name = sort.replace(/^-/, '')
  const isColumn = (column: string): column is Column => column in table.orders
  if (!isColumn(name)) throw new Error(`${table.name} have no order by ${name}.`)
  return name
}
