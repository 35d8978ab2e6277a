import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { RowChoice } from '#app/datasets/column.ts'
import type { MadeFormat } from '#app/datasets/format.ts'
import { ask, type Asking, literal, quoted } from '#app/duckdb/engine.server.ts'
import { PARQUET, PLACE } from '#app/duckdb/layout.ts'
import type { Row } from '#db/tables.ts'
import { addFilters, chosenColumns, Condition, orderOf } from './condition.server.ts'
import { type DataVersion, type KeptColumn, type Source } from './parquet-file.server.ts'
import { type CellGuard, csvHeader, rowAsCsv, rowAsJson } from './written-value.server.ts'

export type WrittenVersion = DataVersion & Pick<Row<'datasetVersions'>, 'originalBytes' | 'originalFormat'>

export type StreamFormat = Exclude<MadeFormat, 'parquet'>

/** What is in memory of one stream: rows of about so many bytes, and at most so many rows. */
const PIECE_BYTES = 2 * 2 ** 20
const PIECE_ROWS = 16_384
/** Parquet is packed. */
const UNPACKED = 8

/** How a file of rows begins, what stands between two rows, and how it ends. */
type Frame = {
  row: (columns: readonly KeptColumn[]) => string
  start: (columns: readonly KeptColumn[]) => string
  between: string
  end: (rows: number) => string
}

const frames: Record<StreamFormat, Frame> = {
  csv: csvFrame('apostrophe'),
  'csv-raw': csvFrame('none'),
  jsonl: { row: rowAsJson, start: () => '', between: '\n', end: (rows) => (rows > 0 ? '\n' : '') },
  json: { row: rowAsJson, start: () => '[\n', between: ',\n', end: () => '\n]\n' },
}

function csvFrame(guard: CellGuard): Frame {
  return {
    row: (columns) => rowAsCsv(columns, guard),
    start: (columns) => `${csvHeader(columns, guard)}\r\n`,
    between: '\r\n',
    end: (rows) => (rows > 0 ? '\r\n' : ''),
  }
}

/** The rows of a source in its order: `all` is how many stand in it, `step` of how many a piece is made. */
export async function* pieces(
  source: Source,
  choice: RowChoice,
  format: StreamFormat,
  [all, step]: [number, number],
  asking: Asking,
): AsyncGenerator<Buffer> {
  const { row, start, between, end } = frames[format]
  const columns = chosenColumns(source, choice)
  let written = 0
  // Nothing is sent before it is known that there will be something: the first question can still be refused.
  let before = start(columns)
  for (let from = 0; from < all; from += step) {
    const condition = new Condition()
    addFilters(condition, choice.filters, source.columns)
    condition.add(`${PLACE} >= ${from} AND ${PLACE} < ${from + step}`)
    const sql = `SELECT count(*)::INTEGER AS rows, string_agg(${row(columns)}, ${literal(between)} ORDER BY ${PLACE}) AS text
      FROM (SELECT *, ${PLACE} FROM ${source.from} ${condition.sql})`
    const [piece] = await ask(sql, condition.values, from === 0 ? asking : { ...asking, lane: 'streams' })
    const rows = Number(piece?.['rows'])
    if (rows === 0) continue
    yield Buffer.from(`${before}${String(piece?.['text'])}`)
    before = between
    written += rows
  }
  yield Buffer.from(`${written > 0 ? '' : before}${end(written)}`)
}

/** Answers how many rows were written. */
export async function writeParquet(source: Source, choice: RowChoice, file: string, asking: Asking): Promise<number> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const condition = new Condition()
  addFilters(condition, choice.filters, source.columns)
  const names = chosenColumns(source, choice).map(({ name }) => quoted(name))
  const rows = `SELECT ${names.join(', ')} FROM ${source.from} ${condition.sql} ORDER BY ${orderOf(choice.sort)}`
  const [made] = await ask(`COPY (${rows}) TO ${literal(file)} ${PARQUET}`, condition.values, { ...asking, lane: 'work' })
  return Number(made?.['Count'])
}

/** How many rows a piece has. */
export function pieceRows(version: WrittenVersion): number {
  return Math.min(PIECE_ROWS, rowsWithin(PIECE_BYTES, version))
}

/** How many rows have about so many bytes; at least one. */
export function rowsWithin(bytes: number, { originalBytes, originalFormat, rows }: WrittenVersion): number {
  const each = (originalBytes * (originalFormat === 'parquet' ? UNPACKED : 1)) / Math.max(rows, 1)
  return Math.max(1, Math.floor(bytes / Math.max(each, 1)))
}
