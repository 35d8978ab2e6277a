import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { RowChoice } from '#app/datasets/catalog/column.ts'
import type { MadeFormat } from '#app/datasets/catalog/format.ts'
import { queryDuckdb, type QueryOptions, literal, identifier } from './engine.server.ts'
import { PARQUET, PLACE } from './layout.ts'
import type { Row } from '#db/tables.ts'
import { addFilters, chosenColumns, Condition, orderOf } from './condition.server.ts'
import { type DataVersion, type StoredColumn, type Source } from './parquet-file.server.ts'
import { type CellGuard, csvHeader, rowAsCsv, rowAsJson } from './written-value.server.ts'

export type WrittenVersion = DataVersion & Pick<Row<'datasetVersions'>, 'originalBytes' | 'originalFormat'>

export type StreamFormat = Exclude<MadeFormat, 'parquet' | 'xlsx'>

/** The memory of one stream: about this many bytes of rows, and at most this many rows. */
const PIECE_BYTES = 2 * 2 ** 20
const PIECE_ROWS = 16_384
/** Parquet is compressed by about this factor. */
const UNPACKED = 8

/** The start of a file of rows, the separator, and the end. */
type Frame = {
  row: (columns: readonly StoredColumn[]) => string
  start: (columns: readonly StoredColumn[]) => string
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

/** The rows of a source in its order: `all` is their number, `step` the number per chunk. */
export async function* pieces(
  source: Source,
  choice: RowChoice,
  format: StreamFormat,
  [all, step]: [number, number],
  asking: QueryOptions,
): AsyncGenerator<Buffer> {
  const { row, start, between, end } = frames[format]
  const columns = chosenColumns(source, choice)
  let written = 0
  // Nothing is sent before the first query succeeds: until then, the request can still be refused.
  let before = start(columns)
  for (let from = 0; from < all; from += step) {
    const condition = new Condition()
    addFilters(condition, choice.filters, source.columns)
    condition.add(`${PLACE} >= ${from} AND ${PLACE} < ${from + step}`)
    const sql = `SELECT count(*)::INTEGER AS rows, string_agg(${row(columns)}, ${literal(between)} ORDER BY ${PLACE}) AS text
      FROM (SELECT *, ${PLACE} FROM ${source.from} ${condition.sql})`
    const [piece] = await queryDuckdb(sql, condition.values, from === 0 ? asking : { ...asking, queue: 'streams' })
    const rows = Number(piece?.['rows'])
    if (rows === 0) continue
    yield Buffer.from(`${before}${String(piece?.['text'])}`)
    before = between
    written += rows
  }
  yield Buffer.from(`${written > 0 ? '' : before}${end(written)}`)
}

/** Returns the number of rows written. */
export async function writeParquet(source: Source, choice: RowChoice, file: string, asking: QueryOptions): Promise<number> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const condition = new Condition()
  addFilters(condition, choice.filters, source.columns)
  const names = chosenColumns(source, choice).map(({ name }) => identifier(name))
  const rows = `SELECT ${names.join(', ')} FROM ${source.from} ${condition.sql} ORDER BY ${orderOf(choice.sort)}`
  const [made] = await queryDuckdb(`COPY (${rows}) TO ${literal(file)} ${PARQUET}`, condition.values, { ...asking, queue: 'work' })
  return Number(made?.['Count'])
}

/** The number of rows per chunk. */
export function pieceRows(version: WrittenVersion): number {
  return Math.min(PIECE_ROWS, rowsWithin(PIECE_BYTES, version))
}

/** The number of rows that have about this many bytes; at least one. */
export function rowsWithin(bytes: number, { originalBytes, originalFormat, rows }: WrittenVersion): number {
  const each = (originalBytes * (originalFormat === 'parquet' ? UNPACKED : 1)) / Math.max(rows, 1)
  return Math.max(1, Math.floor(bytes / Math.max(each, 1)))
}
