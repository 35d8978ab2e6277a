import { parse } from 'csv-parse/sync'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { propertyOf } from '#app/platform/property.ts'
import type { VersionRefusal } from '#app/datasets/catalog/version.ts'
import { PARQUET } from '#app/datasets/rows/layout.ts'
import { checkNames } from './column-names.ts'
import { findTypes, sqlTypes, typesOfText } from './column-types.server.ts'
import { type Loaded, TOLD_REFUSALS } from './loaded.ts'
import { LONGEST_TEXT_LINE } from './text-file.server.ts'
import { Unreadable } from './unreadable.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

const DELIMITERS = [',', ';', '\t', '|']
const HEADER_BYTES = 2 * 1024 * 1024
/** Past this count, reading stops: the file is something other than a table. */
const MOST_REFUSED = 100_000

/** Converts UTF-8 CSV to Parquet. The first line names the columns; rows that do not fit are rejected and reported. */
export async function loadCsv(bench: ImportDatabase, source: string, target: string): Promise<Loaded> {
  const { names, delimiter } = await readHeader(source)
  const reading = (types: readonly string[]) => {
    const columns = names.map((name, at) => `${sqlLiteral(name)}: '${types[at] ?? 'VARCHAR'}'`).join(', ')
    return `read_csv(${sqlLiteral(source)}, columns = {${columns}}, delim = ${sqlLiteral(delimiter)}, header = true, quote = '"', escape = '"',
      auto_detect = false, store_rejects = true, rejects_limit = ${MOST_REFUSED}, max_line_size = ${LONGEST_TEXT_LINE})`
  }
  try {
    const types = await findTypes(
      bench,
      reading([]),
      names.map((name) => ({ name, text: named(name), maybe: typesOfText })),
    )
    await bench.run('DROP TABLE IF EXISTS reject_errors')
    await bench.run('DROP TABLE IF EXISTS reject_scans')
    await bench.run(`COPY (SELECT * FROM ${reading(types.map((type) => sqlTypes[type]))}) TO ${sqlLiteral(target)} ${PARQUET}`)
    const columns = names.map((name, at) => ({ name, type: types[at] ?? 'text' }))
    return { columns, ...(await readRefusals(bench, source, columns)), notes: [] }
  } catch (error) {
    throw explain(error)
  }
}

/** Picks the delimiter that gives the most columns. */
async function readHeader(source: string): Promise<{ names: string[]; delimiter: string }> {
  await using handle = await open(source)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  const start = buffer.toString('utf8', 0, bytesRead)
  const found = DELIMITERS.map((delimiter) => ({ delimiter, names: firstRecord(start, delimiter) }))
  const [best] = found.toSorted((one, other) => other.names.length - one.names.length)
  if (!best || best.names.length === 0) throw new Unreadable('The first line of this file does not name its columns.')
  return { names: checkNames(best.names), delimiter: best.delimiter }
}

function firstRecord(text: string, delimiter: string): string[] {
  try {
    const [record = []] = parse(text, { delimiter, to: 1, relax_column_count: true })
    return record
  } catch {
    return []
  }
}

async function readRefusals(
  bench: ImportDatabase,
  source: string,
  columns: Loaded['columns'],
): Promise<Pick<Loaded, 'refusedRows' | 'refusals'>> {
  const [[count] = []] = await bench.rows('SELECT count(DISTINCT line) FROM reject_errors')
  if (Number(count) === 0) return { refusedRows: 0, refusals: [] }
  if (Number(count) >= MOST_REFUSED) throw new Unreadable(`More than ${MOST_REFUSED.toLocaleString('en')} rows cannot be read.`)
  const errors = await bench.rows(`
    SELECT min(line_byte_position), arg_min(error_type::VARCHAR, rank), arg_min(column_name, rank), arg_min(error_message, rank), arg_min(left(csv_line, 10000), rank)
    FROM (SELECT *, CASE error_type::VARCHAR WHEN 'CAST' THEN 1 ELSE 0 END AS rank FROM reject_errors)
    GROUP BY line ORDER BY 1 LIMIT ${TOLD_REFUSALS}`)
  const lines = await linesAt(
    source,
    errors.map(([position]) => Number(position) - 1),
  )
  const refusals = errors.map(([, kind, column, message, text], at) => {
    const line = lines[at] ?? null
    if (kind === 'UNQUOTED VALUE' && String(text).includes('\n')) throw unclosed(line)
    return { line, reason: reasonOf(String(kind), String(column), String(message), columns) } satisfies VersionRefusal
  })
  return { refusedRows: Number(count), refusals }
}

function unclosed(line: number | null) {
  return new Unreadable(`The quotation mark that opens in line ${line ?? 'unknown'} is not closed.`)
}

const words: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  timestamp: 'a time such as 2026-01-31 08:30:00',
}

function reasonOf(kind: string, column: string, message: string, columns: Loaded['columns']): string {
  if (kind === 'CAST') {
    const [, value = ''] = /Could not convert string "(.*)" to /s.exec(message) ?? []
    const type = columns.find(({ name }) => name === column)?.type ?? 'text'
    return `${column}: “${value.slice(0, 100)}” is not ${words[type] ?? type}`
  }
  if (kind === 'UNQUOTED VALUE') return 'A quotation mark is in the wrong place'
  if (kind === 'LINE SIZE OVER MAXIMUM') return 'The row is too long'
  if (kind === 'INVALID ENCODING') return 'The row is not in UTF-8'
  const [, expected] = /Expected Number of Columns: (\d+)/.exec(message) ?? []
  if (kind === 'TOO MANY COLUMNS') return `The row has more than ${expected} values`
  return expected ? `The row has fewer than ${expected} values` : 'The row cannot be read'
}

/** DuckDB counts rows, but people look for lines, and a quoted value may span many. `positions` are ascending byte offsets. */
async function linesAt(source: string, positions: readonly number[]): Promise<number[]> {
  const lines: number[] = []
  let [read, line] = [0, 1]
  for await (const chunk of createReadStream(source, { end: positions.at(-1) ?? 0 })) {
    if (!Buffer.isBuffer(chunk)) continue
    let at = 0
    while (lines.length < positions.length && (positions[lines.length] ?? 0) < read + chunk.length) {
      const end = (positions[lines.length] ?? 0) - read
      line += breaksIn(chunk.subarray(at, end))
      lines.push(line)
      at = Math.max(at, end)
    }
    line += breaksIn(chunk.subarray(at))
    read += chunk.length
  }
  return lines
}

function breaksIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

function explain(error: unknown): unknown {
  const message = propertyOf(error, 'message')
  if (error instanceof Unreadable || !/CSV|Invalid Input|Out of Memory|Sniffer/i.test(message)) return error
  if (/Out of Memory/i.test(message)) return new Unreadable('This file needs too much memory to import.')
  return new Unreadable('This file is not valid CSV. Its rows do not match the first line.')
}
