import path from 'node:path'
import { propertyOf } from '#app/platform/errors/property.ts'
import type { VersionRefusal } from '#app/datasets/catalog/version.ts'
import { PARQUET } from '#app/datasets/rows/layout.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { checkNames } from './column-names.ts'
import { typesOfText } from './column-types.server.ts'
import { readHead } from './csv-head.server.ts'
import { findUnclosed, linesOfRows, withOneLineBreak } from './csv-records.server.ts'
import { checkSomeRows, type Loaded, type LoadOrder, TOLD_REFUSALS } from './loaded.server.ts'
import { LONGEST_TEXT_LINE } from './text-file.server.ts'
import { type Misfits, writeTyped } from './typed-rows.server.ts'
import { Unreadable } from './unreadable.ts'
import { sqlLiteral, type ImportDatabase } from './import-database.server.ts'

/** Past this count, reading stops: the file is something other than a table. */
const MOST_REFUSED = 100_000

/** Converts UTF-8 CSV to Parquet. The first line names the columns; rows that do not fit are rejected and reported. */
export async function loadCsv(
  bench: ImportDatabase,
  { source: given, target, names: chosen, earlier, readings }: LoadOrder,
): Promise<Loaded> {
  const folder = path.dirname(target)
  const { names: found, delimiter, quotesAll, emptyLines } = await readHead(given)
  const names = checkNames(found, chosen)
  const source = await withOneLineBreak(given, folder, delimiter)
  const text = path.join(folder, 'text.parquet')
  const columns = names.map((name) => `${sqlLiteral(name)}: 'VARCHAR'`).join(', ')
  const reading = `read_csv(${sqlLiteral(source)}, columns = {${columns}}, delim = ${sqlLiteral(delimiter)}, header = true, skip = ${emptyLines}, quote = '"', escape = '"',
    auto_detect = false, allow_quoted_nulls = ${quotesAll}, store_rejects = true, rejects_limit = ${MOST_REFUSED}, max_line_size = ${LONGEST_TEXT_LINE})`
  try {
    await bench.run(`COPY (SELECT * FROM ${reading}) TO ${sqlLiteral(text)} ${PARQUET}`)
  } catch (error) {
    throw explain(error)
  }
  const from = `read_parquet(${sqlLiteral(text)})`
  const [[rows] = []] = await bench.rows(`SELECT count(*) FROM ${from}`)
  const table = { from, rows: Number(rows) }
  const textColumns = names.map((name) => ({ name, maybe: typesOfText, earlier: earlier.get(name) }))
  const { misfits, ...loaded } = await writeTyped(bench, table, textColumns, { target, readings })
  const refusals = await readRefusals(bench, { source, delimiter, hasEmptyRows: names.length === 1, emptyLines }, misfits)
  checkSomeRows(table.rows - misfits.count, refusals)
  return { ...loaded, ...refusals }
}

type Source = { source: string; delimiter: string; hasEmptyRows: boolean; emptyLines: number }

/** Rejected rows by line: those that are no rows of this table, and those with values that do not fit. */
async function readRefusals(bench: ImportDatabase, { source, delimiter, hasEmptyRows, emptyLines }: Source, misfits: Misfits) {
  // After CRLF, the engine begins a row at its line feed.
  const errors = await bench.rows(`
    SELECT min(line_byte_position - 1 + starts_with(csv_line, chr(10))::INTEGER), arg_min(error_type::VARCHAR, error_type),
      arg_min(error_message, error_type), arg_min(left(ltrim(csv_line, chr(10)), 10000), error_type)
    FROM reject_errors GROUP BY line ORDER BY 1`)
  if (errors.length >= MOST_REFUSED) throw new Unreadable(`More than ${numberText(MOST_REFUSED)} rows cannot be read.`)
  const refusedRows = errors.length + misfits.count
  if (refusedRows === 0) return { refusedRows, refusals: [] }
  const rejected = new Set(errors.map(([position]) => Number(position)))
  const lines = await linesOfRows(source, delimiter, { rejected, rows: misfits.first.map(({ row }) => row), hasEmptyRows, emptyLines })
  const hasOpenQuote = errors.some(([, kind, , text]) => kind === 'UNQUOTED VALUE' && String(text).includes('\n'))
  const unclosed = hasOpenQuote ? await findUnclosed(source, delimiter) : undefined
  if (unclosed !== undefined) throw new Unreadable(`The quotation mark that opens in line ${unclosed} is not closed.`)
  const broken = errors.slice(0, TOLD_REFUSALS).map(([position, kind, message]) => {
    const line = lines.get(`byte ${Number(position)}`) ?? null
    return { line, reason: reasonOf(String(kind), String(message)) }
  })
  const unfit = misfits.first.map(({ row, reason }) => ({ line: lines.get(`row ${row}`) ?? null, reason }))
  const refusals: VersionRefusal[] = [...broken, ...unfit].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return { refusedRows, refusals: refusals.slice(0, TOLD_REFUSALS) }
}

function reasonOf(kind: string, message: string): string {
  if (kind === 'UNQUOTED VALUE') return 'A quotation mark is in the wrong place'
  if (kind === 'LINE SIZE OVER MAXIMUM') return 'The row is too long'
  if (kind === 'INVALID ENCODING') return 'The row is not in UTF-8'
  const [, expected] = /Expected Number of Columns: (\d+)/.exec(message) ?? []
  if (kind === 'TOO MANY COLUMNS') return `The row has more than ${expected} values`
  return expected ? `The row has fewer than ${expected} values` : 'The row cannot be read'
}

function explain(error: unknown): unknown {
  const message = propertyOf(error, 'message')
  if (!/CSV|Invalid Input|Sniffer/i.test(message)) return error
  return new Unreadable('This file cannot be read as CSV.')
}
