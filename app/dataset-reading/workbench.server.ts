import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'

const THREADS = 2
const MEMORY = '1GB'
/** What does not fit into memory waits on the disk, up to this. */
const SPILL = '16GB'

/** A DuckDB of its own that knows nothing but some folders: the one it works in, and those it reads from. */
export type Workbench = {
  run: (sql: string) => Promise<void>
  /** Rows as lists of values, in the words of JSON: whole numbers as text. */
  rows: (sql: string) => Promise<unknown[][]>
  /** From 0 to 100 of what runs now; −1 when that is not known. */
  percentage: () => number
  close: () => void
}

export async function openWorkbench(folder: string, reads: readonly string[]): Promise<Workbench> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instance = await DuckDBInstance.create(':memory:', { threads: String(THREADS), memory_limit: MEMORY })
  const connection = await instance.connect()
  const folders = [folder, ...reads].map((each) => quoted(path.resolve(each))).join(', ')
  for (const setting of [
    `allowed_directories = [${folders}]`,
    `temp_directory = ${quoted(path.join(path.resolve(folder), 'spill'))}`,
    `max_temp_directory_size = '${SPILL}'`,
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    "TimeZone = 'UTC'",
    'enable_external_access = false',
    'lock_configuration = true',
  ]) {
    await connection.run(`SET ${setting}`)
  }
  return {
    run: async (sql) => void (await connection.run(sql)),
    rows: async (sql) => readRows(connection, sql),
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

/** A text as SQL writes it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The name of a column as SQL writes it. */
export function named(column: string): string {
  return `"${column.replaceAll('"', '""')}"`
}
