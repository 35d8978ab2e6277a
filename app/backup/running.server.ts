import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Database } from '#app/platform/db.server.ts'
import { log } from '#app/platform/log.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { Stop } from '#app/platform/stop.ts'
import { writeArchive } from './archive.server.ts'

/** The embedded database has one process; another one that wants a backup asks it. This file, which only its owner may read, says where. */
const DOOR = 'operator.json'

const door = z.object({ port: z.int(), token: z.string() })

let server: Server | undefined

/** What the operator can ask for beside a backup, by name: each takes an order and answers a sentence. */
export type OperatorWork = Record<string, (order: unknown) => Promise<string>>

/** Lets the operator of this machine ask the running process for a backup, or for other work that only it can do. */
export async function openOperatorDoor(database: Database, dataDir: string, work: OperatorWork = {}): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  server = createServer((asked, answer) => {
    const named = work[asked.url?.slice(1) ?? '']
    answerOperator(asked, answer, token, named ? () => answerWork(asked, answer, named) : () => writeArchive(database, dataDir, answer))
  })
  const listening = server.listen(0, '127.0.0.1').unref()
  await new Promise((resolve) => listening.once('listening', resolve))
  const address = listening.address()
  if (typeof address !== 'object' || !address) throw new Error('The door of the operator has no port.')
  writeFileSync(path.join(dataDir, DOOR), JSON.stringify({ port: address.port, token }), { mode: 0o600 })
}

export function closeOperatorDoor(dataDir: string) {
  server?.close()
  server = undefined
  rmSync(path.join(dataDir, DOOR), { force: true })
}

function answerOperator(asked: IncomingMessage, answer: ServerResponse, token: string, write: () => Promise<void>) {
  const shown = Buffer.from(asked.headers.authorization ?? '')
  const right = Buffer.from(`Bearer ${token}`)
  if (asked.method !== 'POST' || shown.length !== right.length || !timingSafeEqual(shown, right)) {
    answer.writeHead(403).end()
    return
  }
  write().catch((error: unknown) => {
    log.error({ err: error }, 'what the operator asked for failed')
    answer.destroy()
  })
}

/** What the operator can do something about is told; the rest is in the log. */
async function answerWork(asked: IncomingMessage, answer: ServerResponse, work: OperatorWork[string]) {
  try {
    const sentence = await work(JSON.parse(await text(asked)))
    answer.end(sentence)
  } catch (error) {
    const sentence = error instanceof OperatorError ? error.message : error instanceof Stop ? error.data : undefined
    if (!sentence) throw error
    answer.writeHead(422).end(sentence)
  }
}

/** Has the process that runs in this folder do some work; `undefined` when none does. Throws what it refuses. */
export async function askRunning(dataDir: string, name: string, order: unknown): Promise<string | undefined> {
  const answer = await requestRunning(dataDir, `/${name}`, JSON.stringify(order))
  if (!answer) return undefined
  const sentence = await text(answer)
  if (answer.statusCode === 200) return sentence
  throw new OperatorError(sentence || 'The running product could not do it: see its log.')
}

/** The archive of the process that runs in this folder; `undefined` when none does. */
export async function requestArchive(dataDir: string): Promise<IncomingMessage | undefined> {
  const answer = await requestRunning(dataDir, '/')
  return answer?.statusCode === 200 ? answer : undefined
}

async function requestRunning(dataDir: string, place: string, body?: string): Promise<IncomingMessage | undefined> {
  const known = readDoor(path.join(dataDir, DOOR))
  if (!known) return undefined
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${known.token}` }
    const asked = request({ host: '127.0.0.1', port: known.port, method: 'POST', path: place, headers }, resolve)
    // Left behind by a process that was killed.
    asked.on('error', (error) => ('code' in error && error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error)))
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
