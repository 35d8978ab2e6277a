import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api'
import { findForbidden, type Forbidden, namesGiven } from './sql-tree.server.ts'

/** Whose question it is: one Parquet file, the names that its table has, and the question. */
export type Asked = { file: string; tables: string[]; sql: string }

/** Why there is no answer; the position in characters of the question, from 0. */
export type Refused = { code: 'sql_error' | 'sql_not_allowed' | 'sql_memory'; message: string; position?: number }

export const onlyQuestions: Refused = { code: 'sql_not_allowed', message: 'Only questions can be asked: SELECT, or WITH … SELECT.' }

const SETTINGS = {
  allow_community_extensions: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_unsigned_extensions: 'false',
  errors_as_json: 'true',
  memory_limit: '256MB',
  max_temp_directory_size: '0B',
  temp_directory: '',
  threads: '1',
}

/** An engine that has nothing yet, and that nobody has asked anything. */
export async function openEngine(): Promise<DuckDBConnection> {
  return (await DuckDBInstance.create(':memory:', SETTINGS)).connect()
}

/** From here on there is one file to read, under the names of its table, and nothing can be set. */
export async function lock(connection: DuckDBConnection, { file, tables }: Omit<Asked, 'sql'>) {
  await connection.run(`SET allowed_paths = [${quoted(file)}]`)
  await connection.run('SET enable_external_access = false')
  for (const table of tables) {
    await connection.run(`CREATE VIEW "${table.replaceAll('"', '""')}" AS SELECT * FROM read_parquet(${quoted(file)})`)
  }
  await connection.run('SET lock_configuration = true')
}

/** What a question may not be, found by the parser of the engine before anything of it is done. */
export async function findRefusal(connection: DuckDBConnection, { sql, tables }: Omit<Asked, 'file'>): Promise<Refused | undefined> {
  const read = await connection.runAndReadAll(
    'SELECT json_serialize_sql($1::varchar, skip_null := true, skip_empty := true, skip_default := true)',
    [sql],
  )
  const tree = readTree(String(read.value(0, 0)))
  if (!tree) return { code: 'sql_error', message: 'A number in it is too large.' }
  if (tree.error_type === 'not implemented') return onlyQuestions
  if (tree.error) return { code: 'sql_error', message: tree.error_message ?? 'This is no SQL.', ...placeIn(sql, tree.position) }
  const statements = tree.statements ?? []
  const forbidden = findForbidden(statements, tables) ?? (await findTaken(connection, namesGiven(statements)))
  return forbidden && { code: 'sql_not_allowed', message: forbidden.because, ...placeIn(sql, forbidden.position) }
}

/** A name that the engine has for a table of its own. */
async function findTaken(connection: DuckDBConnection, names: string[]): Promise<Forbidden | undefined> {
  if (names.length === 0) return undefined
  const taken = await connection.runAndReadAll(
    `SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema' AND list_contains($1, lower(view_name)) LIMIT 1`,
    [listValue(names)],
  )
  return taken.currentRowCount > 0
    ? { because: `The name ${String(taken.value(0, 0))} cannot be given by WITH: choose another.` }
    : undefined
}

type Tree = { error: boolean; error_type?: string; error_message?: string; position?: string; statements?: unknown[] }

/** The parser writes down a number that has no end as JSON cannot. */
function readTree(json: string): Tree | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The engine's own words without where its file lies. */
export function toRefused(error: unknown, { sql, file }: Asked): Refused {
  const said = error instanceof Error ? error.message : String(error)
  const json = said.slice(said.indexOf('{'))
  const told: { exception_type?: string; exception_message?: string; position?: string } = /^\{.*\}$/s.test(json) ? JSON.parse(json) : {}
  if (told.exception_type === 'Out of Memory') return { code: 'sql_memory', message: 'This question needs more memory than one may have.' }
  const message = (told.exception_message ?? said)
    .replaceAll(file, 'data')
    .replaceAll(/'?(\/[\w.-]+){2,}'?/g, '…')
    .trim()
  return { code: told.exception_type === 'Permission' ? 'sql_not_allowed' : 'sql_error', message, ...placeIn(sql, told.position) }
}

/** The engine counts bytes, an editor characters. */
function placeIn(sql: string, bytes: string | number | undefined): { position?: number } {
  if (bytes === undefined) return {}
  const before = Buffer.from(sql).subarray(0, Number(bytes)).toString()
  return { position: before.length }
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
