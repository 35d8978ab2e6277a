import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { condition } from '#app/platform/database/sql.server.ts'
import { guarded } from './formula-guard.ts'
import { type SheetCell, writeXlsx } from './xlsx.ts'

/** Bounds the memory of one export, and how long the embedded database and the thread of the requests work without a pause. */
export const BATCH_ROWS = 1_000

const BOM = '\uFEFF'
/** Columns that are numbers in a sheet, and those that are moments. All others are text. */
const NUMBER_HEAD = /^Value$/
const MOMENT_HEAD = / At$|^At$|^Due$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/
/** A number that a double holds. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/

/** A list that can be taken away as a file: its columns by their heads, and its rows. */
export type ListFile<Row> = {
  columns: Record<string, (row: Row) => string | null | undefined>
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
}

/**
 * Reads a list in batches, each of which begins after the last row of the one before, so no transaction waits for a client. While one batch is
 * written, the database reads the next one, and no further one.
 */
export async function* inBatches<Row>(read: (last: Row | undefined, limit: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let next: Promise<Row[]> | undefined = read(undefined, BATCH_ROWS)
  while (next) {
    const rows: Row[] = await next
    next = rows.length === BATCH_ROWS ? read(rows.at(-1), BATCH_ROWS) : undefined
    // Its error is thrown with the next batch, which a client that went away never asks for.
    next?.catch(() => undefined)
    yield rows
  }
}

/** The place of a row in a list with the newest first. The time is text, because a `Date` has no microseconds. */
export type CreatedRow = { createdAtText: string; id: string }
export const createdColumns = sql`to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at_text, id`

/** The moment in a file, as `Date` writes it. */
export function createdAtOf({ createdAtText }: CreatedRow): string {
  return `${createdAtText.slice(0, -4)}Z`
}

export function createdBefore(last: CreatedRow | undefined) {
  return last ? condition`(created_at, id) < (${last.createdAtText}::timestamptz, ${last.id}::uuid)` : condition`true`
}

/** Pieces of a CSV file. The first one waits for rows, so that a query that fails is an error and not a broken file. */
export async function* asCsv<Row>({ columns, batches }: ListFile<Row>, { bom = false } = {}): AsyncGenerator<string> {
  const cells = Object.values(columns)
  let head = (bom ? BOM : '') + writeCsv([Object.keys(columns)])
  for await (const rows of batches) {
    yield head + writeCsv(rows.map((row) => cells.map((cell) => cell(row))))
    head = ''
  }
}

/** Lines as RFC 4180 ends them. Each cell is quoted, and `cast` keeps spreadsheets from running it. */
export function writeCsv(records: unknown[][], cast: (text: string) => string = guarded): string {
  return stringify(records, { quoted: true, quoted_empty: true, record_delimiter: '\r\n', cast: { string: cast } })
}

/** Pieces of an Excel workbook. */
export function asXlsx<Row>({ columns, batches }: ListFile<Row>): AsyncGenerator<Uint8Array> {
  return writeXlsx(Object.keys(columns), sheetRows(columns, batches))
}

async function* sheetRows<Row>(columns: ListFile<Row>['columns'], batches: ListFile<Row>['batches']): AsyncGenerator<SheetCell[]> {
  const cells = Object.entries(columns)
  for await (const rows of batches) {
    for (const row of rows) yield cells.map(([head, cell]) => sheetCell(head, cell(row) ?? ''))
  }
}

function sheetCell(head: string, text: string): SheetCell {
  if (NUMBER_HEAD.test(head) && NUMBER.test(text)) return Number(text)
  return MOMENT_HEAD.test(head) && MOMENT.test(text) ? { date: text, hasTime: true } : text
}
