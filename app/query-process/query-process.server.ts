import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { log } from '#app/platform/log.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Asked } from './locked-engine.server.ts'
import { queryLimits, refusalCodes } from './query.ts'

/** Milliseconds until a process has to be ready; a machine may be busy. */
const START = 30_000
/** Milliseconds from then on, however busy the machine is with other work: a question has the lowest rank of all, and its limit counts its own work. */
const LONGEST = 30_000
/** Milliseconds that a process waits for the next question. */
const IDLE = 60_000
/** Milliseconds between two looks at how long it has worked, and of one tick of Linux. */
const [SHORTEST, TICK] = [100, 10]
/** Bytes of an answer with the line before it: what is more was not written by our own code. */
const MOST_OUTPUT = queryLimits.bytes + 1_000_000
/** Kilobytes of data of the whole process. Node reserves 630,000 of them without using them; then come 256 MB of the engine, and rows on their way to text. */
const DATA = 1_600_000
/** Below everything else that this machine does, its start too: at a higher rank others waited noticeably. */
const NICE = 15

const head = z.object({
  refused: z.object({ code: z.enum(refusalCodes), message: z.string(), position: z.number().optional() }).optional(),
})

/**
 * Answers a question in a process of its own, which ends with it, and is ended when it takes too long, too much, or when nobody waits any more.
 * Gives the bytes of the JSON that `queryResult` describes.
 */
export async function ask(asked: Asked, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted()
  const child = take()
  const end = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  try {
    return read(await outputOf(child, asked), signal)
  } finally {
    signal.removeEventListener('abort', end)
    end()
    keepSpare()
  }
}

/** Started beforehand while questions are asked, because a start takes longer than most answers. It is used once, like all others. */
let spare: ChildProcessWithoutNullStreams | undefined
let unused: NodeJS.Timeout | undefined

function take(): ChildProcessWithoutNullStreams {
  const child = spare ?? start()
  spare = undefined
  clearTimeout(unused)
  return child
}

function keepSpare() {
  if (spare) return
  const child = start()
  spare = child
  unused = setTimeout(() => child.kill('SIGKILL'), IDLE).unref()
  child.once('exit', () => {
    if (spare === child) spare = undefined
  })
}

type Output = { said: Buffer; ready: boolean; late: boolean; end: string }

/** Everything that it says until it ends. */
async function outputOf(child: ChildProcessWithoutNullStreams, { file, tables, sql }: Asked): Promise<Output> {
  const pieces: Buffer[] = []
  const output = { ready: false, late: false, bytes: 0 }
  const begun = { at: 0, work: 0 }
  const giveUp = () => {
    const left = queryLimits.seconds * 1000 - (workOf(child, LONGEST) - begun.work)
    if (output.ready && left > 0 && performance.now() - begun.at < LONGEST) {
      timer = setTimeout(giveUp, Math.max(left, SHORTEST))
      return
    }
    output.late = true
    child.kill('SIGKILL')
  }
  let timer = setTimeout(giveUp, START)
  child.stdout.on('data', (piece: Buffer) => {
    pieces.push(piece)
    output.bytes += piece.length
    if (output.bytes > MOST_OUTPUT) child.kill('SIGKILL')
    if (output.ready) return
    output.ready = true
    Object.assign(begun, { at: performance.now(), work: workOf(child, 0) })
    clearTimeout(timer)
    timer = setTimeout(giveUp, queryLimits.seconds * 1000)
    child.stdin.end(JSON.stringify({ file, tables, sql, rows: queryLimits.rows, bytes: queryLimits.bytes }))
  })
  // It may end before it has read: that is told by its end.
  child.stdin.on('error', () => undefined)
  const end = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, name) => resolve(name ?? String(code)))
  })
  clearTimeout(timer)
  return { said: Buffer.concat(pieces), ready: output.ready, late: output.late, end }
}

/** Milliseconds of processor time that a process has had; where the system does not tell, something else. */
function workOf({ pid }: ChildProcessWithoutNullStreams, otherwise: number): number {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return (Number(user) + Number(system)) * TICK || otherwise
  } catch {
    return otherwise
  }
}

function read({ said, ready, late, end }: Output, signal: AbortSignal): Buffer {
  signal.throwIfAborted()
  if (!ready) throw new Error(`The process for questions does not start: ${end}`)
  if (late) refuse('sql_timeout', `This question took longer than ${queryLimits.seconds} seconds and was stopped.`)
  const first = said.indexOf(10) + 1
  const second = said.indexOf(10, first)
  if (end !== '0' || second < 0) {
    log.warn({ end }, 'a question ended its process')
    refuse('sql_memory', 'This question needs more memory than one may have, and was stopped.')
  }
  const { refused } = head.parse(JSON.parse(said.toString('utf8', first, second)))
  if (refused) refuse(refused.code, refused.message, refused.position)
  return said.subarray(second + 1)
}

function refuse(code: (typeof refusalCodes)[number], message: string, position?: number): never {
  return stop('unprocessable', message, { code, errors: { sql: message }, ...(position !== undefined && { problems: [{ position }] }) })
}

/** Limits that hold whatever it does, also when we are gone: no file can be written, data and processor time have an end, no picture of its memory is left. */
const LIMITS = `ulimit -c 0; ulimit -f 0; ulimit -d ${DATA}; ulimit -t 30; exec "$@"`

/** It knows nothing of ours: no settings, no open files, no folder but that of its own code. */
function start(): ChildProcessWithoutNullStreams {
  const entry = entryFile()
  const flags = [
    '--permission',
    '--allow-addons',
    ...readable(entry).map((folder) => `--allow-fs-read=${folder}`),
    '--max-old-space-size=192',
    '--no-warnings',
  ]
  const command = [process.execPath, ...flags, entry]
  const [program = '', ...rest] = existsSync('/bin/sh') ? ['/bin/sh', '-c', LIMITS, 'query', ...command] : command
  const child = spawn(program, rest, { cwd: path.parse(entry).root, env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.resume()
  try {
    if (child.pid) os.setPriority(child.pid, NICE)
  } catch {
    // It may have ended already; and some systems do not allow it.
  }
  return child
}

/** The build puts it beside the server's first file; what runs here lies there as well, or in the folder below. */
function entryFile(): string {
  if (!import.meta.env.PROD) return fileURLToPath(new URL('./query-child.server.ts', import.meta.url))
  return fileURLToPath(new URL(/\/assets\/[^/]*$/.test(import.meta.url) ? '../query-child.js' : './query-child.js', import.meta.url))
}

/** Its own code, and the packages that it loads, wherever a link leads to them. */
function readable(entry: string): string[] {
  const folders = createRequire(entry).resolve.paths('@duckdb/node-api') ?? []
  const packages = folders.flatMap((folder) => (existsSync(folder) ? [folder, realpathSync(folder)] : []))
  const own = import.meta.env.PROD ? path.dirname(entry) : path.join(path.dirname(entry), '..')
  return [...new Set([own, ...packages, ...packages.map((folder) => path.join(folder, '../package.json'))])]
}
