import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { Lane } from './lane.server.ts'
import { type PlainRow, plainRows } from './plain.server.ts'

/** What can be bound in a question. A whole number beyond 2^53 is a bigint. */
export type AskedValue = string | number | bigint | boolean | null

/**
 * `pages`: somebody waits for the answer. `streams`: a piece of an answer that has begun, so it waits its turn however many there are. `work`: what
 * may take minutes; it has a lane of its own, so that nobody waits behind it.
 * `signal`: whoever asked has gone. `seconds`: how long it may take, waiting for its turn included. `person`: people who wait take turns.
 */
export type Asking = { signal?: AbortSignal; seconds?: number; lane?: 'pages' | 'streams' | 'work'; person?: string }

/** DuckDB could not do what it was asked. Its own sentence can repeat what stands in a dataset, so it is in `detail`, which is never logged. */
export class EngineError extends Error {
  readonly detail: string

  constructor(detail: string) {
    super(`DuckDB: ${/^[A-Z][\w ]{1,40} Error/i.exec(detail)?.[0] ?? 'an error'}`)
    this.name = 'EngineError'
    this.detail = detail
  }
}

/** Each question that runs holds one of the four threads in which Node also reads files and checks passwords. */
const pages = new Lane(2)
const lanes = { pages, streams: pages, work: new Lane(1) }
const SECONDS = { pages: 10, streams: 120, work: 600 }
const MOST_WAITING = { pages: 100, streams: Number.POSITIVE_INFINITY, work: 20 }
const THREADS = '2'
const MEMORY = '512MB'
const MOST_SPILLED = '8GB'
/** Left behind by a process that was killed. */
const STALE_MS = 24 * 3600 * 1000

type Engine = { instance: DuckDBInstance; free: DuckDBConnection[]; running: Set<DuckDBConnection>; spills: string }

let engine: Promise<Engine> | undefined

/**
 * Asks the one DuckDB of this process, which is loaded and opened by the first question. `sql` is ours alone: what anyone gives is bound (`$1`), and names
 * of columns come from the dataset, quoted by `quoted`. It can read and write where datasets lie and nowhere else.
 */
export async function ask(sql: string, values: AskedValue[] = [], asking: Asking = {}): Promise<PlainRow[]> {
  const { lane = 'pages', seconds = SECONDS[lane], signal, person } = asking
  const late = AbortSignal.timeout(seconds * 1000)
  const end = signal ? AbortSignal.any([signal, late]) : late
  try {
    return await lanes[lane].pass(() => answer(sql, values, end), { signal: end, mostWaiting: MOST_WAITING[lane], person })
  } catch (error) {
    signal?.throwIfAborted()
    if (late.aborted) stop('timeout', 'This takes too long. Ask for less: fewer rows, fewer columns or another filter.')
    throw error
  }
}

/** A name as SQL takes it, whatever stands in it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text of ours as SQL takes it, such as the path of a file, where nothing can be bound. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** What runs is interrupted. The next question opens it again. */
export async function closeEngine(): Promise<void> {
  const open = await engine?.catch(() => undefined)
  engine = undefined
  if (!open) return
  while (open.running.size > 0) {
    for (const connection of open.running) connection.interrupt()
    await after(5)
  }
  for (const connection of open.free) connection.disconnectSync()
  open.instance.closeSync()
  await rm(open.spills, { recursive: true, force: true })
}

async function answer(sql: string, values: AskedValue[], end: AbortSignal): Promise<PlainRow[]> {
  const { instance, free, running } = await (engine ??= opened())
  const connection = free.pop() ?? (await instance.connect())
  running.add(connection)
  // What is not running yet cannot be interrupted, so it is told again.
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
    return stop('unavailable', 'This needs more memory than there is just now. Ask for less, or try again in a moment.', { retryAfter: 5 })
  }
  return new EngineError(detail)
}

/** The order of the settings matters: the last ones lock those before them. */
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

/** Where a sort goes that does not fit into memory: a folder of this process, which it makes when it needs it. */
async function placeForSpills(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name)
    const left = await stat(place).catch(() => undefined)
    if (left && Date.now() - left.mtimeMs > STALE_MS) await rm(place, { recursive: true, force: true })
  }
  return path.join(folder, randomUUID())
}
