import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { linesIn } from '#app/platform/text/lines.ts'
import type { ProgressReport } from './progress.server.ts'
import { findTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { openedDatabase } from '#app/platform/database/db.server.ts'
import { diskFullSentence, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { Stop } from '#app/platform/errors/stop.ts'

/** Only one process can open the embedded database, so a backup command asks it. This owner-only file holds the address. */
const ADMIN_SOCKET_FILE = 'operator.json'

const adminSocketFile = z.object({ port: z.int(), token: z.string() })

let server: Server | undefined

/** Commands of the admin socket beside the backup, by name. Each takes an input and returns a sentence. */
export type OperatorWork = Record<string, (input: unknown, report: ProgressReport, signal: AbortSignal) => Promise<string>>

/** The response is one of these messages per line: progress, then the result or a refusal. */
const message = z.union([
  z.object({
    progress: z
      .object({ phase: z.string(), done: z.number(), total: z.number(), unit: z.string() })
      .partial({ done: true, total: true, unit: true }),
  }),
  z.object({ result: z.string() }),
  z.object({ refusal: z.string() }),
])
/** The client redraws about ten times a second. */
const SEND_MS = 100

/** Opens the admin socket, which serves copies of the database and other commands that need the running process. */
export async function openAdminSocket(dataDir: string, given: OperatorWork = {}): Promise<void> {
  const work: OperatorWork = {
    'copy-database': (name, report, signal) => copyDatabase(dataDir, z.string().parse(name), { signal, report }),
    ...given,
  }
  const token = randomBytes(32).toString('base64url')
  server = createServer((asked, answer) => {
    answerOperator(asked, answer, token, work)
  })
  const listening = server.listen(0, '127.0.0.1').unref()
  await new Promise((resolve) => listening.once('listening', resolve))
  const address = listening.address()
  if (typeof address !== 'object' || !address) throw new Error('The admin socket has no port.')
  writeFileSync(path.join(dataDir, ADMIN_SOCKET_FILE), JSON.stringify({ port: address.port, token }), { mode: 0o600 })
}

export function closeAdminSocket(dataDir: string) {
  server?.close()
  server = undefined
  rmSync(path.join(dataDir, ADMIN_SOCKET_FILE), { force: true })
}

function answerOperator(asked: IncomingMessage, answer: ServerResponse, token: string, work: OperatorWork) {
  const shown = Buffer.from(asked.headers.authorization ?? '')
  const right = Buffer.from(`Bearer ${token}`)
  if (asked.method !== 'POST' || shown.length !== right.length || !timingSafeEqual(shown, right)) {
    answer.writeHead(403).end()
    return
  }
  const name = asked.url?.slice(1) ?? ''
  const named = Object.hasOwn(work, name) ? work[name] : undefined
  if (!named) return void answer.writeHead(404).end()
  answerWork(asked, answer, named).catch((error: unknown) => {
    log.error({ err: error }, 'an admin command failed')
    answer.end()
  })
}

/** The operator sees errors that they can fix; the log has the rest. */
async function answerWork(asked: IncomingMessage, answer: ServerResponse, work: OperatorWork[string] & {}) {
  const left = new AbortController()
  answer.once('close', () => left.abort())
  const lineOf = (line: z.infer<typeof message>) => `${JSON.stringify(line)}\n`
  const report = sendSome((progress) => answer.write(lineOf({ progress })))
  try {
    const result = await work(JSON.parse(await text(asked)), report, left.signal)
    answer.end(lineOf({ result }))
  } catch (error) {
    if (left.signal.aborted) return
    const refusal = error instanceof OperatorError ? error.message : error instanceof Stop ? error.data : undefined
    if (!refusal) throw error
    answer.end(lineOf({ refusal }))
  }
}

function sendSome(send: ProgressReport): ProgressReport {
  let phase: string | undefined
  let sent = 0
  return (progress) => {
    if (progress.phase === phase && performance.now() - sent < SEND_MS) return
    phase = progress.phase
    sent = performance.now()
    send(progress)
  }
}

/** Sends a command to the process that runs in this folder. Returns `undefined` without one, and throws its refusals. */
export async function sendAdminCommand(
  dataDir: string,
  name: string,
  order: unknown,
  report: ProgressReport = () => undefined,
): Promise<string | undefined> {
  const answer = await requestRunning(dataDir, `/${name}`, JSON.stringify(order))
  if (!answer) return undefined
  // Another program may now own the port of a killed process.
  if (answer.statusCode === 403 || answer.statusCode === 404) return undefined
  for await (const line of linesIn(answer.setEncoding('utf8'))) {
    const said = message.parse(JSON.parse(line))
    if ('result' in said) return said.result
    if ('refusal' in said) throw new OperatorError(said.refusal)
    report(said.progress)
  }
  throw new OperatorError('The running server could not do this: its log has the reason.')
}

/** Copies the embedded database of this process into the folder that a command names. */
async function copyDatabase(
  dataDir: string,
  name: string,
  { signal, report }: { signal: AbortSignal; report: ProgressReport },
): Promise<string> {
  const folder = findTemporary(dataDir, name)
  const { copyInto } = openedDatabase()
  if (!folder || !copyInto) throw new OperatorError('The running server cannot copy its database: stop it, then try again.')
  const copy = path.join(folder, 'copy')
  report({ phase: 'Copying the running database' })
  try {
    await copyInto(copy, signal)
    return 'Copied.'
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw isDiskFull(error) ? new OperatorError(diskFullSentence(dataDir), { cause: error }) : error
  }
}

async function requestRunning(dataDir: string, place: string, body?: string): Promise<IncomingMessage | undefined> {
  const known = readAdminSocketFile(path.join(dataDir, ADMIN_SOCKET_FILE))
  if (!known) return undefined
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${known.token}` }
    const asked = request({ host: '127.0.0.1', port: known.port, method: 'POST', path: place, headers }, resolve)
    // A killed process left it behind.
    asked.on('error', (error) =>
      'code' in error && error.code === 'ECONNREFUSED'
        ? resolve(undefined)
        : reject(new OperatorError(`The running server did not finish this (${error.message}): see its log, then try again.`)),
    )
    asked.end(body)
  })
}

function readAdminSocketFile(file: string) {
  try {
    return adminSocketFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
