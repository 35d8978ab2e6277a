import { stat } from 'node:fs/promises'
import { propertyOf } from '#app/platform/property.ts'
import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { PARQUET } from '#app/datasets/rows/layout.ts'
import { checkNames } from './column-names.ts'
import { findTypes, sqlTypes, type TextColumn } from './column-types.server.ts'
import { type Loaded, TOLD_REFUSALS } from './loaded.ts'
import { checkValues } from './import-limits.ts'
import { LONGEST_TEXT_LINE, startOf } from './text-file.server.ts'
import { Unreadable } from './unreadable.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

/** A hundred nested lists or objects. Deeper ones cannot be serialized again. */
const TOO_DEEP = String.raw`([\[{]\s*("[^"\\]*"\s*:\s*)?){100}`
/** `\\u0000`, unless an escaped backslash precedes it. */
const NUL = String.raw`(^|[^\\])(\\\\)*\\u0000`
const NO_ARRAY = 'This file is not a JSON array of objects, such as [{"name": "A", "price": 1}].'

/** Each line is one object. */
export async function loadJsonLines(bench: ImportDatabase, source: string, target: string): Promise<Loaded> {
  await bench.run(`CREATE TEMP TABLE lines AS
    SELECT row_number() OVER () AS line, json FROM read_csv(${sqlLiteral(source)}, columns = {'json': 'VARCHAR'}, header = false, auto_detect = false,
      delim = '\u0001', quote = '', escape = '', max_line_size = ${LONGEST_TEXT_LINE})`)
  return loadObjects(bench, source, target)
}

/** An array of objects; its elements count as lines. */
export async function loadJson(bench: ImportDatabase, source: string, target: string): Promise<Loaded> {
  // DuckDB accepts a truncated array.
  if (!(await isArray(source))) throw new Unreadable(NO_ARRAY)
  try {
    await bench.run(`CREATE TEMP TABLE lines AS SELECT row_number() OVER () AS line, json::VARCHAR AS json
      FROM read_json_objects(${sqlLiteral(source)}, format = 'array', maximum_object_size = ${LONGEST_TEXT_LINE})`)
  } catch (error) {
    if (!/JSON|Invalid Input/i.test(propertyOf(error, 'message'))) throw error
    throw new Unreadable(NO_ARRAY)
  }
  return loadObjects(bench, source, target)
}

async function isArray(source: string): Promise<boolean> {
  const start = (await startOf(source)).trimStart()
  const end = (await startOf(source, { fromEnd: true })).trimEnd()
  return start.startsWith('[') && end.endsWith(']')
}

async function loadObjects(bench: ImportDatabase, source: string, target: string): Promise<Loaded> {
  await bench.run(`CREATE TEMP TABLE refused (line BIGINT, reason VARCHAR)`)
  await bench.run(`INSERT INTO refused SELECT line, reason FROM (
      SELECT line, CASE WHEN NOT json_valid(json) THEN 'The line is not valid JSON' WHEN json_type(json) <> 'OBJECT' THEN 'The line is not an object'
        WHEN regexp_matches(json, ${sqlLiteral(TOO_DEEP)}) THEN 'The line is nested too deeply'
        WHEN contains(json, '\\u0000') AND regexp_matches(json, ${sqlLiteral(NUL)}) THEN 'The line contains a NUL character' END AS reason
      FROM lines WHERE trim(json) <> '') WHERE reason IS NOT NULL`)
  await bench.run(`CREATE TEMP VIEW objects AS SELECT line, json::JSON AS json FROM lines
    WHERE trim(json) <> '' AND line NOT IN (SELECT line FROM refused)`)
  const keys = await bench.rows(`
    SELECT key FROM (SELECT line, unnest(json_keys(json)) AS key, generate_subscripts(json_keys(json), 1) AS place FROM objects)
    GROUP BY key ORDER BY min(line), arg_min(place, line) LIMIT 2001`)
  if (keys.length === 0) throw new Unreadable('This file has no object with a name and a value.')
  const found = keys.map(([key]) => String(key))
  const names = checkNames(found)
  const [[lines] = []] = await bench.rows('SELECT count(*) FROM lines')
  checkValues({ rows: Number(lines), columns: names.length, bytes: (await stat(source)).size })
  const columns = await columnsOf(bench, found, names)
  const types = await findTypes(bench, 'objects', columns)
  const isMisfit = columns.map(({ text }, at) => `(${text} IS NOT NULL AND ${read(text, types[at] ?? 'text')} IS NULL)`)
  const reasons = columns.map(
    ({ name, text }, at) =>
      `WHEN ${isMisfit[at]} THEN ${sqlLiteral(`${name}: “`)} || left(${text}, 100) || ${sqlLiteral(`” is not a valid ${types[at]}`)}`,
  )
  await bench.run(
    `INSERT INTO refused SELECT line, reason FROM (SELECT line, CASE ${reasons.join(' ')} END AS reason FROM objects) WHERE reason IS NOT NULL`,
  )
  const values = columns.map(({ text }, at) => `${read(text, types[at] ?? 'text')} AS ${named(names[at] ?? '')}`)
  await bench.run(`COPY (SELECT ${values.join(', ')} FROM objects ORDER BY line) TO ${sqlLiteral(target)} ${PARQUET}`)
  const [[count] = []] = await bench.rows('SELECT count(*) FROM refused')
  const refused = await bench.rows(`SELECT line, reason FROM refused ORDER BY line LIMIT ${TOLD_REFUSALS}`)
  return {
    columns: names.map((name, at) => ({ name, type: types[at] ?? 'text' })),
    refusedRows: Number(count),
    refusals: refused.map(([line, reason]) => ({ line: Number(line), reason: String(reason) })),
    notes: [],
  }
}

/** The JSON types decide first: a string of digits stays text. */
async function columnsOf(bench: ImportDatabase, keys: readonly string[], names: readonly string[]): Promise<TextColumn[]> {
  const kinds = await bench.rows(`SELECT ${keys.map((key) => `list(DISTINCT json_type(json, ${pathTo(key)}))`).join(', ')} FROM objects`)
  return keys.map((key, at) => {
    const found = kinds[0]?.[at]
    const kindsFound = Array.isArray(found) ? found.map(String).filter((kind) => kind !== 'NULL' && kind !== 'null') : []
    const isNested = kindsFound.some((kind) => kind === 'OBJECT' || kind === 'ARRAY')
    const text = isNested ? `nullif(json_extract(json, ${pathTo(key)})::VARCHAR, 'null')` : `json_extract_string(json, ${pathTo(key)})`
    return { name: names[at] ?? '', text, maybe: maybeOf(kindsFound) }
  })
}

function maybeOf(kinds: readonly string[]): ColumnType[] {
  if (kinds.includes('OBJECT')) return ['object']
  if (kinds.includes('ARRAY')) return ['list']
  if (kinds.some((kind) => /INT|DOUBLE/.test(kind))) return ['integer', 'number']
  if (kinds.includes('BOOLEAN')) return ['boolean']
  return kinds.includes('VARCHAR') ? ['date', 'timestamp'] : []
}

/** A JSON pointer, which can hold any key. */
function pathTo(key: string): string {
  return sqlLiteral(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

function read(text: string, type: ColumnType): string {
  return type === 'text' ? text : `TRY_CAST(${text} AS ${sqlTypes[type]})`
}
