import type { DuckDBConnection, DuckDBInstance, DuckDBMaterializedResult, DuckDBValue, Json } from '@duckdb/node-api'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { QueryQueue } from './query-queue.server.ts'

/** A bindable value. Integers beyond 2^53 are bigint. */
export type QueryValue = string | number | bigint | boolean | null

/**
 * `pages`: a user waits for the result. `streams`: the next part of a started response, so it is queued without a limit. `work`: may take
 * minutes and has its own queue, so nothing else waits behind it. `signal`: aborts when the caller has gone. `seconds`: the time limit,
 * queueing included. `person`: people in the queue take turns.
 */
export type QueryOptions = { signal?: AbortSignal; seconds?: number; queue?: 'pages' | 'streams' | 'work'; person?: string }

/** DuckDB failed. Its message can quote values of a dataset, so it is in `detail`, which is never logged. */
export class EngineError extends Error {
  readonly detail: string

  constructor(detail: string) {
    super(`DuckDB: ${/^[A-Z][\w ]{1,40} Error/i.exec(detail)?.[0] ?? 'an error'}`)
    this.name = 'EngineError'
    this.detail = detail
  }
}

/** Each running query holds one of the four threads that Node also uses for files and password hashes. */
const pages = new QueryQueue(2)
const queues = { pages, streams: pages, work: new QueryQueue(1) }
const SECONDS = { pages: 10, streams: 120, work: 600 }
const MOST_WAITING = { pages: 100, streams: Number.POSITIVE_INFINITY, work: 20 }
const THREADS = '2'
const MEMORY = '512MB'
const MOST_SPILLED = '8GB'
/** Left by a killed process. */
const STALE_MS = 24 * 3600 * 1000

type Engine = { instance: DuckDBInstance; free: DuckDBConnection[]; running: Set<DuckDBConnection>; spills: string }

let engine: Promise<Engine> | undefined
let closing = new AbortController()

/** Aborts when the engine closes: work of several queries must not open it again. */
export function engineSignal(): AbortSignal {
  return closing.signal
}

/**
 * Queries the one DuckDB of this process, which opens on first use. `sql` is trusted: values are bound (`$1`), and column names go
 * through `identifier`. It can read and write in the dataset folders only.
 */
export async function queryDuckdb(sql: string, values: QueryValue[] = [], asking: QueryOptions = {}): Promise<PlainRow[]> {
  const { queue = 'pages', seconds = SECONDS[queue], signal, person } = asking
  const late = AbortSignal.timeout(seconds * 1000)
  const end = signal ? AbortSignal.any([signal, late]) : late
  try {
    return await queues[queue].pass(() => answer(sql, values, end), { signal: end, mostWaiting: MOST_WAITING[queue], person })
  } catch (error) {
    signal?.throwIfAborted()
    if (late.aborted) stop('timeout', 'This query takes too long. Try fewer rows or columns, or another filter.')
    throw error
  }
}

/** A name as SQL takes it, whatever characters it has. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A trusted string as an SQL literal, such as a file path, where binding is not possible. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Interrupts running queries. The next query opens the engine again. */
export async function closeEngine(): Promise<void> {
  const open = await engine?.catch(() => undefined)
  engine = undefined
  closing.abort()
  closing = new AbortController()
  if (!open) return
  while (open.running.size > 0) {
    for (const connection of open.running) connection.interrupt()
    await after(5)
  }
  for (const connection of open.free) connection.disconnectSync()
  open.instance.closeSync()
  await rm(open.spills, { recursive: true, force: true })
}

async function answer(sql: string, values: QueryValue[], end: AbortSignal): Promise<PlainRow[]> {
  const { instance, free, running } = await (engine ??= opened())
  const connection = free.pop() ?? (await instance.connect())
  running.add(connection)
  // A query that has not started cannot be interrupted, so this repeats.
  let telling: NodeJS.Timeout | undefined
  const interrupt = () => (telling ??= setInterval(() => connection.interrupt(), 10))
  end.addEventListener('abort', interrupt, { once: true })
  try {
    end.throwIfAborted()
    return await plainRows(await connection.run(sql, values))
  } catch (error) {
    end.throwIfAborted()
    throw translated(error)
  } finally {
    end.removeEventListener('abort', interrupt)
    clearInterval(telling)
    running.delete(connection)
    free.push(connection)
  }
}

function translated(error: unknown): unknown {
  const detail = error instanceof Error ? error.message : String(error)
  if (/^Out of Memory Error/i.test(detail)) {
    return stop('unavailable', 'The server does not have enough memory for this. Query less data, or try again later.', {
      retryAfter: 5,
    })
  }
  return new EngineError(detail)
}

/** The order of the settings matters: the last ones lock the others. */
async function opened(): Promise<Engine> {
  try {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const dataDir = path.resolve(env.DATA_DIR)
    const spills = await placeForSpills(path.join(dataDir, 'cache', 'spill'))
    const instance = await DuckDBInstance.create(':memory:', {
      threads: THREADS,
      memory_limit: MEMORY,
      temp_directory: spills,
      max_temp_directory_size: MOST_SPILLED,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    })
    const connection = await instance.connect()
    const allowed = ['files/datasets', 'unfinished', 'cache'].map((folder) => literal(`${path.join(dataDir, folder)}/`))
    await connection.run(`SET allowed_directories = [${allowed.join(', ')}]`)
    await connection.run('SET parquet_metadata_cache = true')
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return { instance, free: [connection], running: new Set(), spills }
  } catch (error) {
    engine = undefined
    throw error
  }
}

/** The folder of this process for sorts that do not fit into memory; DuckDB creates it when needed. */
async function placeForSpills(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name)
    const left = await stat(place).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > STALE_MS) await rm(place, { recursive: true, force: true })
  }
  return path.join(folder, randomUUID())
}

/** One row, as JSON would hold it. */
type PlainRow = Record<string, unknown>

/**
 * Rows as plain objects. Numbers that JavaScript holds exactly are numbers; larger ones and decimals are text. Dates and times are text,
 * lists and structs are arrays and objects.
 */
async function plainRows(result: DuckDBMaterializedResult): Promise<PlainRow[]> {
  const { JsonDuckDBValueConverter } = await import('@duckdb/node-api')
  const plain = (value: DuckDBValue, type: Parameters<typeof JsonDuckDBValueConverter>[1]): Json =>
    typeof value === 'bigint' ? exact(value) : JsonDuckDBValueConverter(value, type, plain)
  return result.convertRowObjects(plain)
}

function exact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
