import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api'
import { findForbidden, type Forbidden, namesGiven } from './sql-tree.server.ts'

/** A query with its only Parquet file and the names of its table. */
export type LockedQuery = { file: string; tables: string[]; sql: string }

/** Why a query failed; the position counts characters from 0. */
export type QueryRefusal = { code: 'sql_error' | 'sql_not_allowed' | 'sql_memory'; message: string; position?: number }

export const onlyQuestions: QueryRefusal = { code: 'sql_not_allowed', message: 'Only SELECT and WITH … SELECT queries are allowed.' }

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

/** Opens an empty engine. */
export async function openEngine(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:', SETTINGS)).connect()
  // Columns hold times in UTC. A time with an offset is compared with them in the zone of the connection.
  await connection.run("SET TimeZone = 'UTC'")
  return connection
}

/** Afterwards, the engine can read only this file, as the named tables, and no setting can change. */
export async function lock(connection: DuckDBConnection, { file, tables }: Omit<LockedQuery, 'sql'>) {
  await connection.run(`SET allowed_paths = [${quoted(file)}]`)
  await connection.run('SET enable_external_access = false')
  for (const table of tables) {
    await connection.run(`CREATE VIEW "${table.replaceAll('"', '""')}" AS SELECT * FROM read_parquet(${quoted(file)})`)
  }
  await connection.run('SET lock_configuration = true')
}

/** Checks a query by the engine's own parser before it runs. */
export async function findRefusal(
  connection: DuckDBConnection,
  { sql, tables }: Omit<LockedQuery, 'file'>,
): Promise<QueryRefusal | undefined> {
  const read = await connection.runAndReadAll(
    'SELECT json_serialize_sql($1::varchar, skip_null := true, skip_empty := true, skip_default := true)',
    [sql],
  )
  const tree = readTree(String(read.value(0, 0)))
  if (!tree) return { code: 'sql_error', message: 'A number in this query is too large.' }
  if (tree.error_type === 'not implemented') return onlyQuestions
  if (tree.error) return { code: 'sql_error', message: tree.error_message ?? 'This is not valid SQL.', ...placeIn(sql, tree.position) }
  const statements = tree.statements ?? []
  const forbidden = findForbidden(statements, tables) ?? (await findTaken(connection, namesGiven(statements)))
  return forbidden && { code: 'sql_not_allowed', message: forbidden.because, ...placeIn(sql, forbidden.position) }
}

/** Finds a name that the engine uses for a table of its own. */
async function findTaken(connection: DuckDBConnection, names: string[]): Promise<Forbidden | undefined> {
  if (names.length === 0) return undefined
  const taken = await connection.runAndReadAll(
    `SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema' AND list_contains($1, lower(view_name)) LIMIT 1`,
    [listValue(names)],
  )
  return taken.currentRowCount > 0 ? { because: `WITH cannot define the name ${String(taken.value(0, 0))}. Choose another.` } : undefined
}

type Tree = { error: boolean; error_type?: string; error_message?: string; position?: string; statements?: unknown[] }

/** The parser writes infinite numbers, which are not valid JSON. */
function readTree(json: string): Tree | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The engine's message without the path of the file. */
export function toRefused(error: unknown, { sql, file }: LockedQuery): QueryRefusal {
  const said = error instanceof Error ? error.message : String(error)
  const json = said.slice(said.indexOf('{'))
  const told: { exception_type?: string; exception_message?: string; position?: string } = /^\{.*\}$/s.test(json) ? JSON.parse(json) : {}
  if (told.exception_type === 'Out of Memory') return { code: 'sql_memory', message: 'This query needs too much memory.' }
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
