import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Filter, RowChoice, RowSort } from '#app/datasets/catalog/column.ts'
import type { MadeFormat } from '#app/datasets/catalog/format.ts'
import { env } from '#app/platform/env.server.ts'
import { MOST_XLSX_ROWS, type SheetCell, writeXlsx } from '#app/platform/tables/xlsx.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { identifier, literal, queryDuckdb, type QueryOptions } from './engine.server.ts'
import { PLACE } from './layout.ts'
import { addFilters, chosenColumns, Condition, orderOf } from './condition.server.ts'
import { type DataVersion, type Source, sourceOf } from './parquet-file.server.ts'
import { pieceRows, pieces, type StreamFormat, writeParquet, type WrittenVersion } from './pieces.server.ts'
import { checkChoice } from './row-choice.ts'
import type { RowFile } from './row-file.server.ts'
import { asLines, parsedRows, type RowLines, textOfLines } from './row-lines.ts'
import { sheetCell } from './sheet-cell.ts'
import { sortedCopy } from './sorted-copy.server.ts'
import { readStored } from './stored-rows.server.ts'
import { rowAsJson } from './written-value.server.ts'

export type WrittenPage = { lines: RowLines; rows: number; nextCursor: string | null }

/** The work stops when the caller has gone, and people take turns. */
export type RowReader = Pick<QueryOptions, 'signal' | 'person'>

/** `cursor` is the `nextCursor` of the previous page. */
export type PageAsked = RowReader & { limit: number; cursor?: string | null | undefined }

/** Up to this many rows are located first and read afterwards: other rows are never unpacked. */
const FOUND_FIRST = 1000

type Written = { place: number; json: string }

/** One page of the selected rows and the next cursor; null after the last row. Rows without a sort value come last. */
export async function readWrittenPage(
  version: WrittenVersion,
  asked: RowChoice,
  { limit, cursor, ...asking }: PageAsked,
): Promise<WrittenPage> {
  const choice = checkChoice(asked, version.columns)
  const after = readRowCursor(cursor ?? undefined, version.id, choice)
  const isWhole = !choice.sort && choice.filters.length === 0
  const page = isWhole ? await nextPage(version, choice, after, limit, asking) : await foundPage(version, choice, after, limit, asking)
  const { last, ...written } = page
  return { ...written, nextCursor: last === undefined ? null : writeRowCursor(last, version.id, choice) }
}

/** The next cursor of a first page with so many rows, without reading it. */
export function cursorAfter(version: Pick<DataVersion, 'id' | 'columns'>, rows: number): string {
  return writeRowCursor(rows - 1, version.id, checkChoice({ filters: [] }, version.columns))
}

/** The number of rows that match all filters. */
export async function countRows(version: WrittenVersion, filters: readonly Filter[], asking: RowReader = {}): Promise<number> {
  const { filters: checked } = checkChoice({ filters: [...filters] }, version.columns)
  if (checked.length === 0) return version.rows
  const source = await sourceOf(version)
  const condition = new Condition()
  addFilters(condition, checked, source.columns)
  const { from } = (await sortedCopy(version, source, { filters: checked })) ?? source
  const [counted] = await queryDuckdb(`SELECT count(*) AS rows FROM ${from} ${condition.sql}`, condition.values, asking)
  return Number(counted?.['rows'])
}

/**
 * All selected rows in chunks. Nothing is held open between two chunks, however slow the client is. Sorted rows are first written to a
 * temporary file.
 */
export async function* writeRows(
  version: WrittenVersion,
  asked: RowChoice,
  format: StreamFormat | 'xlsx',
  asking: RowReader = {},
): AsyncGenerator<Buffer> {
  const choice = checkChoice(asked, version.columns)
  if (format === 'xlsx') return yield* writeSheet(version, choice, asking)
  const source = await sourceOf(version)
  if (!choice.sort) return yield* pieces(source, choice, format, [version.rows, pieceRows(version)], asking)
  const aside = path.resolve(env.DATA_DIR, 'cache', 'spill', `${randomUUID()}.parquet`)
  try {
    const rows = await writeParquet(source, choice, aside, asking)
    const ordered = { columns: chosenColumns(source, choice), from: `read_parquet(${literal(aside)})` }
    yield* pieces(ordered, { filters: [] }, format, [rows, pieceRows(version)], asking)
  } finally {
    await rm(aside, { force: true })
  }
}

/** An Excel workbook: numbers, days and times have their types, and a text stays a text. */
async function* writeSheet(version: WrittenVersion, choice: RowChoice, asking: RowReader): AsyncGenerator<Buffer> {
  await refuseLongSheet(version, choice.filters, asking)
  const columns = choice.select
    ? choice.select.flatMap((name) => version.columns.find((each) => each.name === name) ?? [])
    : version.columns
  const names = columns.map(({ name }) => name)
  for await (const piece of writeXlsx(names, sheetRows(writeRows(version, choice, 'jsonl', asking), columns))) yield Buffer.from(piece)
}

/** Stops with a sentence where an Excel sheet has no room for the rows. */
export async function refuseLongSheet(version: WrittenVersion, filters: readonly Filter[], asking: RowReader = {}): Promise<void> {
  if (version.rows <= MOST_XLSX_ROWS || (await countRows(version, filters, asking)) <= MOST_XLSX_ROWS) return
  const most = numberText(MOST_XLSX_ROWS)
  const sentence = `An Excel sheet has room for ${most} rows. Choose CSV or Parquet, or filter the rows.`
  stop('unprocessable', sentence, { code: 'too_many_rows', errors: { format: sentence } })
}

async function* sheetRows(lines: AsyncIterable<Buffer>, columns: WrittenVersion['columns']): AsyncGenerator<SheetCell[]> {
  // Each piece has whole lines.
  for await (const piece of lines)
    for (const row of parsedRows(piece.toString())) yield columns.map(({ name, type }) => sheetCell(row[name], type))
}

/** Writes the same to a file, also as Parquet. The caller deletes a file that was not finished. */
export async function writeFile(version: WrittenVersion, asked: RowChoice, format: MadeFormat, file: string): Promise<void> {
  if (format === 'parquet') await writeParquet(await sourceOf(version), checkChoice(asked, version.columns), file, {})
  else await pipeline(Readable.from(writeRows(version, asked, format)), createWriteStream(file, { mode: 0o600 }))
}

/**
 * The rows after the last one of the previous page: those with a greater value, those with the same one further down, and those without a
 * value.
 */
async function addAfter(condition: Condition, source: Source, { column, descending }: RowSort, after: number, asking: QueryOptions) {
  if (after < 0) return
  const x = identifier(column)
  const [last] = await queryDuckdb(`SELECT CAST(${x} AS VARCHAR) AS value FROM ${source.from} WHERE ${PLACE} = ${after}`, [], asking)
  const value = last?.['value']
  if (typeof value !== 'string') return condition.add(`${x} IS NULL AND ${PLACE} > ${after}`)
  const bound = condition.bind(value, source.columns.find(({ name }) => name === column)?.kept ?? 'VARCHAR')
  condition.add(`${x} ${descending ? '<' : '>'} ${bound} OR (${x} = ${bound} AND ${PLACE} > ${after}) OR ${x} IS NULL`)
}

type FoundPage = Omit<WrittenPage, 'nextCursor'> & { last: number | undefined }

/** Without filters and order, the positions of a page are known. */
async function nextPage(
  version: WrittenVersion,
  choice: RowChoice,
  after: number,
  limit: number,
  asking: QueryOptions,
): Promise<FoundPage> {
  const [from, to] = [after + 1, Math.min(after + 1 + limit, version.rows)]
  const last = to < version.rows ? to - 1 : undefined
  if (to <= from) return { lines: asLines([]), rows: 0, last: undefined }
  const stored = await fromStore(version, choice, (file) => file.read(from, to))
  if (stored) return { lines: stored, rows: to - from, last }
  const source = await sourceOf(version)
  const condition = new Condition()
  condition.add(`${PLACE} >= ${from} AND ${PLACE} < ${to}`)
  const rows = await asText(`SELECT *, ${PLACE} FROM ${source.from} ${condition.sql} ORDER BY ${PLACE}`, [], source, choice, asking)
  return { lines: written(rows, choice), rows: rows.length, last }
}

async function foundPage(
  version: WrittenVersion,
  choice: RowChoice,
  after: number,
  limit: number,
  asking: QueryOptions,
): Promise<FoundPage> {
  const source = await sourceOf(version)
  const condition = new Condition()
  addFilters(condition, choice.filters, source.columns)
  if (choice.sort) await addAfter(condition, source, choice.sort, after, asking)
  else condition.add(`${PLACE} > ${after}`)
  const ending = `${condition.sql} ORDER BY ${orderOf(choice.sort)} LIMIT ${limit + 1}`
  if (limit > FOUND_FIRST) {
    const rows = await asText(`SELECT *, ${PLACE} FROM ${source.from} ${ending}`, condition.values, source, choice, asking)
    const last = rows.length > limit ? rows[limit - 1]?.place : undefined
    const page = rows.slice(0, limit)
    return { lines: written(page, choice), rows: page.length, last }
  }
  const { from } = (await sortedCopy(version, source, choice)) ?? source
  const found = await queryDuckdb(`SELECT ${PLACE} FROM ${from} ${ending}`, condition.values, asking)
  const places = found.map((each) => Number(each[PLACE]))
  const page = places.slice(0, limit)
  const last = places.length > limit ? page.at(-1) : undefined
  return { lines: await rowsAt(version, source, choice, page, asking), rows: page.length, last }
}

/** Rows at these positions, in their order. */
async function rowsAt(
  version: WrittenVersion,
  source: Source,
  choice: RowChoice,
  places: readonly number[],
  asking: QueryOptions,
): Promise<RowLines> {
  if (places.length === 0) return asLines([])
  const stored = await fromStore(version, choice, (file) => file.pick(places))
  if (stored) return stored
  const rows = await asText(`SELECT *, ${PLACE} FROM ${source.from} WHERE ${PLACE} IN (${places.join(', ')})`, [], source, choice, asking)
  const order = new Map(places.map((place, at) => [place, at]))
  return written(
    rows.toSorted((one, other) => (order.get(one.place) ?? 0) - (order.get(other.place) ?? 0)),
    choice,
  )
}

/** Reads from the file of written rows, if there is one. */
function fromStore(
  version: WrittenVersion,
  { select }: RowChoice,
  read: (file: RowFile) => Promise<RowLines>,
): Promise<RowLines | undefined> {
  return readStored(version, async (file) => {
    const lines = await read(file)
    return select ? selected(textOfLines(lines), select) : lines
  })
}

/** Each row as the text of a JSON object. */
async function asText(rows: string, values: string[], source: Source, choice: RowChoice, asking: QueryOptions): Promise<Written[]> {
  const sql = `SELECT ${PLACE}, ${rowAsJson(chosenColumns(source, choice))} AS json FROM (${rows})`
  return (await queryDuckdb(sql, values, asking)).map((each) => ({ place: Number(each[PLACE]), json: String(each['json']) }))
}

function written(rows: readonly Written[], { select }: RowChoice): RowLines {
  const lines = asLines(rows.map(({ json }) => json))
  return select ? selected(textOfLines(lines), select) : lines
}

/** The selected columns of each row, written as JavaScript does: so the bytes do not depend on where the rows were read. */
function selected(lines: string, select: readonly string[]): RowLines {
  return asLines(
    parsedRows(lines).map((row) => `{${select.map((name) => `${JSON.stringify(name)}:${JSON.stringify(row[name])}`).join(',')}}`),
  )
}

/**
 * Encodes the last row of a page by its position in the file. A cursor is valid for one choice of one version: with another, it would
 * skip rows.
 */
function writeRowCursor(place: number, versionId: string, choice: RowChoice): string {
  return Buffer.from(`${place}.${markOf(versionId, choice)}`).toString('base64url')
}

/** The position of the last row read; −1 before the first one. */
function readRowCursor(cursor: string | undefined, versionId: string, choice: RowChoice): number {
  if (cursor === undefined) return -1
  const [, place, mark] = /^(\d{1,15})\.([\w-]+)$/.exec(Buffer.from(cursor.slice(0, 100), 'base64url').toString()) ?? []
  if (place !== undefined && mark === markOf(versionId, choice)) return Number(place)
  return stop('unprocessable', 'This cursor belongs to another query. Start again without a cursor.', {
    errors: { cursor: 'This cursor belongs to another version or query' },
  })
}

function markOf(versionId: string, { select, filters, sort }: RowChoice): string {
  const text = JSON.stringify([
    versionId,
    select,
    filters.map(({ column, operator, value }) => [column, operator, value]),
    sort?.column,
    sort?.descending,
  ])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
