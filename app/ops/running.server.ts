import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { findTemporary } from '#app/platform/database/temporary-folder.server.ts'
import { openedDatabase } from '#app/platform/database/db.server.ts'
import { diskFullSentence, isDiskFull } from '#app/platform/disk-room.server.ts'
import { log } from '#app/platform/log.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { Stop } from '#app/platform/stop.ts'

/** Only one process can open the embedded database, so a backup command asks it. This owner-only file holds the address. */
const DOOR = 'operator.json'

const door = z.object({ port: z.int(), token: z.string() })

let server: Server | undefined

/** Commands of the admin socket beside the backup, by name. Each takes an input and returns a sentence. */
export type OperatorWork = Record<string, (order: unknown, signal: AbortSignal) => Promise<string>>

/** Opens the admin socket, which serves copies of the database and other commands that need the running process. */
export async function openAdminSocket(dataDir: string, given: OperatorWork = {}): Promise<void> {
  const work: OperatorWork = { 'copy-database': (name, signal) => copyDatabase(dataDir, z.string().parse(name), signal), ...given }
  const token = randomBytes(32).toString('base64url')
  server = createServer((asked, answer) => {
    answerOperator(asked, answer, token, work)
  })
  const listening = server.listen(0, '127.0.0.1').unref()
  await new Promise((resolve) => listening.once('listening', resolve))
  const address = listening.address()
  if (typeof address !== 'object' || !address) throw new Error('The door of the operator has no port.')
  writeFileSync(path.join(dataDir, DOOR), JSON.stringify({ port: address.port, token }), { mode: 0o600 })
}

export function closeAdminSocket(dataDir: string) {
  server?.close()
  server = undefined
  rmSync(path.join(dataDir, DOOR), { force: true })
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
    log.error({ err: error }, 'what the operator asked for failed')
    answer.writeHead(500).end()
  })
}

/** The operator sees errors that they can fix; the log has the rest. */
async function answerWork(asked: IncomingMessage, answer: ServerResponse, work: OperatorWork[string] & {}) {
  const left = new AbortController()
  answer.once('close', () => left.abort())
  try {
    const sentence = await work(JSON.parse(await text(asked)), left.signal)
    answer.end(sentence)
  } catch (error) {
    if (left.signal.aborted) return
    const sentence = error instanceof OperatorError ? error.message : error instanceof Stop ? error.data : undefined
    if (!sentence) throw error
    answer.writeHead(422).end(sentence)
  }
}

/** Sends a command to the process that runs in this folder. Returns `undefined` without one, and throws its refusals. */
export async function sendAdminCommand(dataDir: string, name: string, order: unknown): Promise<string | undefined> {
  const answer = await requestRunning(dataDir, `/${name}`, JSON.stringify(order))
  if (!answer) return undefined
  // Another program may now own the port of a killed process.
  if (answer.statusCode === 403 || answer.statusCode === 404) return undefined
  const sentence = await text(answer)
  if (answer.statusCode === 200) return sentence
  throw new OperatorError(sentence || 'The running product could not do it: see its log.')
}

/** Copies the embedded database of this process into the folder that a command names. */
async function copyDatabase(dataDir: string, name: string, signal: AbortSignal): Promise<string> {
  const folder = findTemporary(dataDir, name)
  const { copyInto } = openedDatabase()
  if (!folder || !copyInto) throw new OperatorError('The running product cannot lend its database.')
  const copy = path.join(folder, 'copy')
  try {
    await copyInto(copy, signal)
    return 'Copied.'
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    throw isDiskFull(error) ? new OperatorError(diskFullSentence(dataDir), { cause: error }) : error
  }
}

async function requestRunning(dataDir: string, place: string, body?: string): Promise<IncomingMessage | undefined> {
  const known = readDoor(path.join(dataDir, DOOR))
  if (!known) return undefined
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${known.token}` }
    const asked = request({ host: '127.0.0.1', port: known.port, method: 'POST', path: place, headers }, resolve)
    // A killed process left it behind.
    asked.on('error', (error) =>
      'code' in error && error.code === 'ECONNREFUSED'
        ? resolve(undefined)
        : reject(new OperatorError(`The running product did not finish it (${error.message}).`)),
    )
    asked.end(body)
  })
}

function readDoor(file: string) {
  try {
    return door.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
