import type { Filter, RowChoice, Sort } from '#app/datasets/column.ts'
import { ask, type Asking, quoted } from '#app/duckdb/engine.server.ts'
import { PLACE } from '#app/duckdb/layout.ts'
import { addFilters, Condition } from './condition.server.ts'
import { readCursor, writeCursor } from './cursor.server.ts'
import { type DataVersion, type KeptColumn, type Source, sourceOf } from './parquet-file.server.ts'
import { checkChoice } from './row-choice.ts'
import { rowAsJson } from './written-value.server.ts'

export type Page = { rows: Record<string, unknown>[]; nextCursor: string | null }

/** `cursor` is the `nextCursor` of the page before; `signal` says that whoever asked has gone. */
export type PageAsked = { limit: number; cursor?: string | null | undefined; signal?: AbortSignal }

/** Up to so many sorted rows are found first and read then: what is not among them is never unpacked. */
const FOUND_FIRST = 1000

type Written = { place: number; json: string }

/** One page of the rows that were chosen, and the cursor of the next one; null after the last row. Rows without a value to sort by come last. */
export async function readRows(version: DataVersion, asked: RowChoice, { limit, cursor, signal }: PageAsked): Promise<Page> {
  const choice = checkChoice(asked, version.columns)
  const after = readCursor(cursor ?? undefined, version.id, choice)
  const source = await sourceOf(version)
  const asking = signal ? { signal } : {}
  const condition = new Condition()
  addFilters(condition, choice.filters, source.columns)
  if (choice.sort) await addAfter(condition, source, choice.sort, after, asking)
  else condition.add(`${PLACE} > ${after}`)
  // Without a condition the page is known beforehand, and nothing else needs to be read.
  if (!choice.sort && choice.filters.length === 0) condition.add(`${PLACE} <= ${after + limit + 1}`)
  const rows = await written(source, condition, choice, limit + 1, asking)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit).map(({ json }) => asRow(json)),
    nextCursor: last ? writeCursor(last.place, version.id, choice) : null,
  }
}

/** How many rows fulfil all conditions. */
export async function countRows(version: DataVersion, filters: readonly Filter[], signal?: AbortSignal): Promise<number> {
  const { filters: checked } = checkChoice({ filters: [...filters] }, version.columns)
  if (checked.length === 0) return version.rows
  const source = await sourceOf(version)
  const condition = new Condition()
  addFilters(condition, checked, source.columns)
  const [counted] = await ask(`SELECT count(*) AS rows FROM ${source.from} ${condition.sql}`, condition.values, signal ? { signal } : {})
  return Number(counted?.['rows'])
}

/** Rows with equal values come in the order of the file, both up and down. */
export function orderOf(sort: Sort | undefined): string {
  return sort ? `${quoted(sort.column)} ${sort.descending ? 'DESC' : 'ASC'} NULLS LAST, ${PLACE}` : PLACE
}

/** The columns that were chosen, in the order in which they were. */
export function chosenColumns({ columns }: Source, { select }: RowChoice): KeptColumn[] {
  return select ? select.flatMap((name) => columns.find((column) => column.name === name) ?? []) : columns
}

/** The rows that come after the last one of the page before: those with a greater value, those with the same one further down, and those without any. */
async function addAfter(condition: Condition, source: Source, { column, descending }: Sort, after: number, asking: Asking) {
  if (after < 0) return
  const x = quoted(column)
  const [last] = await ask(`SELECT CAST(${x} AS VARCHAR) AS value FROM ${source.from} WHERE ${PLACE} = ${after}`, [], asking)
  const value = last?.['value']
  if (typeof value !== 'string') return condition.add(`${x} IS NULL AND ${PLACE} > ${after}`)
  const bound = condition.bind(value, source.columns.find(({ name }) => name === column)?.kept ?? 'VARCHAR')
  condition.add(`${x} ${descending ? '<' : '>'} ${bound} OR (${x} = ${bound} AND ${PLACE} > ${after}) OR ${x} IS NULL`)
}

async function written(source: Source, condition: Condition, choice: RowChoice, most: number, asking: Asking): Promise<Written[]> {
  const chosen = `${source.from} ${condition.sql} ORDER BY ${orderOf(choice.sort)} LIMIT ${most}`
  if (!choice.sort || most > FOUND_FIRST) return asText(`SELECT *, ${PLACE} FROM ${chosen}`, condition.values, source, choice, asking)
  const found = (await ask(`SELECT ${PLACE} FROM ${chosen}`, condition.values, asking)).map((each) => Number(each[PLACE]))
  if (found.length === 0) return []
  const rows = await asText(`SELECT *, ${PLACE} FROM ${source.from} WHERE ${PLACE} IN (${found.join(', ')})`, [], source, choice, asking)
  const order = new Map(found.map((place, at) => [place, at]))
  return rows.toSorted((one, other) => (order.get(one.place) ?? 0) - (order.get(other.place) ?? 0))
}

/** Each row as the text of an object. */
async function asText(rows: string, values: string[], source: Source, choice: RowChoice, asking: Asking): Promise<Written[]> {
  const sql = `SELECT ${PLACE}, ${rowAsJson(chosenColumns(source, choice))} AS json FROM (${rows})`
  return (await ask(sql, values, asking)).map((each) => ({ place: Number(each[PLACE]), json: String(each['json']) }))
}

/** Any name can be that of a column, `__proto__` too: a schema would leave it out. */
function asRow(json: string): Record<string, unknown> {
  const value: unknown = JSON.parse(json)
  if (!isRow(value)) throw new Error('A row was not written as an object.')
  return value
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
