import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection, DuckDBType } from '@duckdb/node-api'

const THREADS = 2
const MEMORY = '1GB'
/** The disk limit for data that does not fit into memory. */
const SPILL = '16GB'

/** A separate DuckDB with access to its work folder and the folders it reads from. */
export type ImportDatabase = {
  run: (sql: string) => Promise<void>
  /** Rows as lists of JSON values: integers as text. */
  rows: (sql: string) => Promise<unknown[][]>
  /** The names and types of a query's columns. */
  types: (sql: string) => Promise<{ name: string; type: DuckDBType }[]>
  /** The progress of the running query from 0 to 100; −1 if unknown. */
  percentage: () => number
  close: () => void
}

export async function openWorkbench(folder: string, reads: readonly string[]): Promise<ImportDatabase> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instance = await DuckDBInstance.create(':memory:', { threads: String(THREADS), memory_limit: MEMORY })
  const connection = await instance.connect()
  const folders = [folder, ...reads].map((each) => sqlLiteral(path.resolve(each))).join(', ')
  for (const setting of [
    `allowed_directories = [${folders}]`,
    `temp_directory = ${sqlLiteral(path.join(path.resolve(folder), 'spill'))}`,
    `max_temp_directory_size = '${SPILL}'`,
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    "TimeZone = 'UTC'",
    'enable_external_access = false',
    'parquet_metadata_cache = true',
    'lock_configuration = true',
  ]) {
    await connection.run(`SET ${setting}`)
  }
  return {
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => readRows(connection, sql),
    types: async (sql) => {
      const prepared = await connection.prepare(sql)
      return Array.from({ length: prepared.columnCount }, (_, at) => ({ name: prepared.columnName(at), type: prepared.columnType(at) }))
    },
    percentage: () => connection.progress.percentage,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function readRows(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql)).getRowsJson()
}

export function sqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function named(column: string): string {
  return `"${column.replaceAll('"', '""')}"`
}
