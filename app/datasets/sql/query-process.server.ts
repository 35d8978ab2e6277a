import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { LockedQuery } from './locked-engine.server.ts'
import type { StarterCommand, StarterCommands, Output } from './query-starter.server.ts'
import { queryLimits, queryRefusalCodes } from './query.ts'

/** Milliseconds until a process must be ready; the machine may be busy. */
const START = 30_000
/**
 * Milliseconds from then on, on a busy machine as well: queries have the lowest priority, and their time limit counts their own CPU time.
 */
const LONGEST = 30_000
/** Milliseconds that idle processes stay for the next query. */
const IDLE = 60_000
/** Bytes of a result with its first line: more than this was not written by our code. */
const MOST_OUTPUT = queryLimits.bytes + 1_000_000
/**
 * Kilobytes of data for the whole process. Node reserves 630,000 without using them; 256 MB are for the engine, and the rest for
 * serializing rows.
 */
const DATA = 1_600_000
/**
 * The lowest priority on this machine, the process start included: higher priorities noticeably slowed other work. Child processes
 * inherit it.
 */
const NICE = 15

const head = z.object({
  refused: z.object({ code: z.enum(queryRefusalCodes), message: z.string(), position: z.number().optional() }).optional(),
})

type Waiting = { resolve: (output: Output) => void; reject: (error: Error) => void }

/** The process that starts query processes, while there are queries and a minute longer. */
type Starter = { child: ChildProcess; waiting: Map<number, Waiting>; idle?: NodeJS.Timeout }
let starter: Starter | undefined
let last = 0

/**
 * Runs a query in its own process, which is killed when it takes too long, grows too large, or the client has gone. Returns the bytes of
 * the JSON that `queryResult` describes.
 */
export async function runQuery({ file, tables, sql }: LockedQuery, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted()
  const mine = (starter ??= start())
  const { child, waiting } = mine
  clearTimeout(mine.idle)
  const id = (last += 1)
  const { promise, resolve, reject } = Promise.withResolvers<Output>()
  waiting.set(id, { resolve, reject })
  const leave = () => send(child, { id })
  signal.addEventListener('abort', leave, { once: true })
  send(child, { id, input: JSON.stringify({ file, tables, sql, rows: queryLimits.rows, bytes: queryLimits.bytes }) })
  try {
    const output = await promise
    signal.throwIfAborted()
    return read(output)
  } finally {
    signal.removeEventListener('abort', leave)
    waiting.delete(id)
    if (waiting.size === 0) mine.idle = setTimeout(() => end(child), IDLE).unref()
  }
}

function send(child: ChildProcess, order: StarterCommand) {
  // If it has exited, its exit handler reports that to the callers.
  child.send(order, () => undefined)
}

function start(): Starter {
  const [program = '', ...rest] = commandOfOne()
  const ms = { start: START, work: queryLimits.seconds * 1000, longest: LONGEST, unused: IDLE }
  const orders: StarterCommands = {
    program,
    rest,
    cwd: path.parse(rest.at(-1) ?? '').root,
    ms,
    bytes: MOST_OUTPUT,
    ...(os.platform() === 'linux' && { chrt: '/usr/bin/chrt' }),
  }
  const child = spawn(process.execPath, ['--no-warnings', '--max-old-space-size=64', entryFile('query-starter'), JSON.stringify(orders)], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  try {
    if (child.pid) os.setPriority(child.pid, NICE)
  } catch {
    // It may have exited already, and some systems do not allow it.
  }
  const waiting = new Map<number, Waiting>()
  child.on('message', (output: Output) => waiting.get(output.id)?.resolve(output))
  const gone = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Error(`The query starter ended: ${why}`))
    if (starter?.child === child) starter = undefined
  }
  child.once('error', ({ message }) => gone(message))
  child.once('exit', (code, name) => gone(name ?? String(code)))
  // An idle server may exit.
  child.unref()
  child.channel?.unref()
  return { child, waiting }
}

function end(child: ChildProcess) {
  if (starter?.child === child) starter = undefined
  if (child.connected) child.disconnect()
}

function read({ said, ready, late, end }: Output): Buffer {
  if (late && !ready) stop('unavailable', 'The server is busy. Try again in a moment.', { retryAfter: 10 })
  if (!ready) throw new Error(`The query process did not start: ${end}`)
  if (late) refuse('sql_timeout', `This query took longer than ${queryLimits.seconds} seconds and was stopped.`)
  const first = said.indexOf(10) + 1
  const second = said.indexOf(10, first)
  if (end !== '0' || second < 0) {
    log.warn({ end }, 'a query process was killed')
    refuse('sql_memory', 'This query was stopped because it needs too much memory.')
  }
  const { refused } = head.parse(JSON.parse(said.toString('utf8', first, second)))
  if (refused) refuse(refused.code, refused.message, refused.position)
  return said.subarray(second + 1)
}

function refuse(code: (typeof queryRefusalCodes)[number], message: string, position?: number): never {
  return stop('unprocessable', message, { code, errors: { sql: message }, ...(position !== undefined && { problems: [{ position }] }) })
}

/** Limits that hold in any case, even after the server died: no file writes, limited data and CPU time, no core dump. */
const LIMITS = `ulimit -c 0; ulimit -f 0; ulimit -d ${DATA}; ulimit -t 30; exec "$@"`

/** It can read only the folder of its own code. */
function commandOfOne(): string[] {
  const entry = entryFile('query-child')
  const flags = [
    '--permission',
    '--allow-addons',
    ...readable(entry).map((folder) => `--allow-fs-read=${folder}`),
    '--max-old-space-size=192',
    '--no-warnings',
  ]
  const command = [process.execPath, ...flags, entry]
  return existsSync('/bin/sh') ? ['/bin/sh', '-c', LIMITS, 'query', ...command] : command
}

/** The build puts them into the folder of this code as well (`vite.config.ts`). */
function entryFile(name: 'query-child' | 'query-starter'): string {
  return fileURLToPath(new URL(import.meta.env.PROD ? `./${name}.js` : `./${name}.server.ts`, import.meta.url))
}

/** Its own code and the packages that it loads, with links resolved. */
function readable(entry: string): string[] {
  const folders = createRequire(entry).resolve.paths('@duckdb/node-api') ?? []
  const packages = folders.flatMap((folder) => (existsSync(folder) ? [folder, realpathSync(folder)] : []))
  const own = import.meta.env.PROD ? path.dirname(entry) : path.join(path.dirname(entry), '..')
  return [...new Set([own, ...packages, ...packages.map((folder) => path.join(folder, '../package.json'))])]
}
