import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod/mini'
import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { VersionRefusal } from '#app/datasets/catalog/version.ts'
import { linesIn } from '#app/platform/text/lines.ts'
import { PARQUET, PLACE } from '#app/datasets/rows/layout.ts'
import { MOST_COLUMNS } from '#app/datasets/catalog/column.ts'
import { checkNames } from './column-names.ts'
import { checkValues } from './import-limits.ts'
import { elementsOf } from './json-elements.server.ts'
import { type JsonKind, readJsonRow } from './json-rows.server.ts'
import { checkSomeRows, type Loaded, type LoadOrder, TOLD_REFUSALS } from './loaded.server.ts'
import type { TextColumn } from './text-column.server.ts'
import { LONGEST_TEXT_LINE } from './text-file.server.ts'
import { writeTyped } from './typed-rows.server.ts'
import { Unreadable } from './unreadable.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

const CHUNK = 1024 * 1024
const jsonObject = z.record(z.string(), z.unknown())

/** Each line is one object. */
export async function loadJsonLines(bench: ImportDatabase, order: LoadOrder): Promise<Loaded> {
  return loadObjects(
    bench,
    order,
    linesIn(createReadStream(order.source, { encoding: 'utf8', highWaterMark: CHUNK }), { endsAnywhere: true }),
  )
}

/** An array of objects; its elements count as lines. */
export async function loadJson(bench: ImportDatabase, order: LoadOrder): Promise<Loaded> {
  return loadObjects(bench, order, elementsOf(createReadStream(order.source, { encoding: 'utf8', highWaterMark: CHUNK })), {
    canBeEmpty: false,
  })
}

type Found = { keys: Map<string, Set<JsonKind>>; rows: number; refused: number; refusals: VersionRefusal[] }

async function loadObjects(
  bench: ImportDatabase,
  { source, target, names: chosen, earlier, readings }: LoadOrder,
  texts: AsyncIterable<string>,
  { canBeEmpty = true } = {},
): Promise<Loaded> {
  const folder = path.dirname(target)
  const file = path.join(folder, 'rows.jsonl')
  const found: Found = { keys: new Map(), rows: 0, refused: 0, refusals: [] }
  await pipeline(() => checkedRows(texts, found, canBeEmpty), createWriteStream(file, { mode: 0o600 }))
  if (found.keys.size === 0) {
    const [first] = found.refusals
    const why = first ? ` ${first.reason}: line ${first.line}.` : ''
    throw new Unreadable(`This file has no object with a name and a value.${why}`)
  }
  const keys = await inOrder(bench, file, [...found.keys.keys()])
  const names = checkNames(keys, chosen)
  checkValues({ rows: found.rows, columns: names.length, bytes: (await stat(source)).size })
  // The engine tells keys apart by neither case nor emptiness.
  const isMended = Object.keys(chosen).length > 0
  const columns = keys.map((key, at): TextColumn & { key: string } => {
    const name = names[at] ?? ''
    const kinds = found.keys.get(key) ?? new Set()
    return {
      key: isMended ? `key ${at}` : key,
      name,
      maybe: maybeOf(kinds),
      earlier: earlier.get(name),
      isJsonNumber: kinds.has('number') && !kinds.has('text'),
    }
  })
  const text = path.join(folder, 'text.parquet')
  await bench.run(`COPY (${selectOf(isMended ? await withPlaces(file, keys) : file, columns)}) TO ${sqlLiteral(text)} ${PARQUET}`)
  const table = { from: `read_parquet(${sqlLiteral(text)})`, rows: found.rows }
  const { misfits, ...loaded } = await writeTyped(bench, table, columns, { target, readings })
  const unfit = misfits.first.map(({ row, reason }) => ({ line: row, reason }))
  const refusals = [...found.refusals, ...unfit].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, TOLD_REFUSALS)
  const refused = { refusedRows: found.refused + misfits.count, refusals }
  checkSomeRows(found.rows - misfits.count, refused)
  return { ...loaded, ...refused }
}

/** Each row on a line, with its line in the file as the column that Parquet otherwise derives. */
async function* checkedRows(texts: AsyncIterable<string>, found: Found, canBeEmpty: boolean): AsyncGenerator<string> {
  let line = 0
  let piece = ''
  for await (const text of texts) {
    line += 1
    if (canBeEmpty && text.trim() === '') continue
    const row = readJsonRow(text)
    if ('reason' in row) {
      found.refused += 1
      if (found.refusals.length < TOLD_REFUSALS) found.refusals.push({ line, reason: row.reason })
      continue
    }
    found.rows += 1
    for (const [key, kind] of row.kinds) noteKind(found.keys, key, kind)
    const members = row.text
      .trim()
      .slice(1)
      .replaceAll(/[\r\n]/g, ' ')
    piece += `{"${PLACE}":${line}${row.kinds.length > 0 ? ',' : ''}${members}\n`
    if (piece.length < CHUNK) continue
    yield piece
    piece = ''
  }
  yield piece
}

function noteKind(keys: Found['keys'], key: string, kind: JsonKind | undefined): void {
  // One more than allowed is enough to refuse the file.
  const kinds = keys.get(key) ?? new Set()
  if (kinds.size === 0 && keys.size <= MOST_COLUMNS) keys.set(key, kinds)
  if (kind) kinds.add(kind)
}

/** JavaScript moves keys that are whole numbers to the front; the engine leaves all in their order. */
async function inOrder(bench: ImportDatabase, file: string, keys: string[]): Promise<string[]> {
  if (!keys.some((key) => /^\d+$/.test(key))) return keys
  const rows = await bench.rows(`
    SELECT key FROM (SELECT line, unnest(json_keys(json)) AS key, generate_subscripts(json_keys(json), 1) AS place
      FROM (SELECT row_number() OVER () AS line, json FROM read_json_objects(${sqlLiteral(file)}, format = 'newline_delimited', maximum_object_size = ${2 * LONGEST_TEXT_LINE})))
    GROUP BY key ORDER BY min(line), arg_min(place, line)`)
  return rows.map(([key]) => String(key)).filter((key) => key !== PLACE)
}

/** A copy of the file in which each key is called by its place. */
async function withPlaces(file: string, keys: readonly string[]): Promise<string> {
  const copy = `${file}.places`
  const places = new Map([[PLACE, PLACE], ...keys.map((key, at): [string, string] => [key, `key ${at}`])])
  const rows = async function* () {
    for await (const line of linesIn(createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK }))) {
      const entries = Object.entries(jsonObject.parse(JSON.parse(line)))
      yield `${JSON.stringify(Object.fromEntries(entries.map(([key, value]) => [places.get(key) ?? key, value])))}\n`
    }
  }
  await pipeline(rows, createWriteStream(copy, { mode: 0o600 }))
  return copy
}

/** Nested values, and texts beside them, stay JSON. */
function selectOf(file: string, columns: readonly (TextColumn & { key: string })[]): string {
  const isNested = ({ maybe }: TextColumn) => maybe.includes('list') || maybe.includes('object')
  const types = columns.map((column) => `${sqlLiteral(column.key)}: '${isNested(column) ? 'JSON' : 'VARCHAR'}'`).join(', ')
  const values = columns.map((column) => {
    const value = named(column.key)
    return `${isNested(column) ? `nullif(${value}::VARCHAR, 'null')` : value} AS ${named(column.name)}`
  })
  return `SELECT ${PLACE}, ${values.join(', ')} FROM read_json(${sqlLiteral(file)}, format = 'newline_delimited', records = true,
    columns = {${PLACE}: 'BIGINT', ${types}}, maximum_object_size = ${2 * LONGEST_TEXT_LINE})`
}

function maybeOf(kinds: ReadonlySet<JsonKind>): ColumnType[] {
  if (kinds.has('object')) return ['object']
  if (kinds.has('list')) return ['list']
  if (kinds.has('number')) return ['integer', 'number']
  if (kinds.has('boolean')) return ['boolean']
  return kinds.has('text') ? ['date', 'timestamp'] : []
}
