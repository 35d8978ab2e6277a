import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import { z } from 'zod'
import type { Database } from '#app/platform/db.server.ts'
import { log } from '#app/platform/log.server.ts'
import { writeArchive } from './archive.server.ts'

/** The embedded database has one process; another one that wants a backup asks it. This file, which only its owner may read, says where. */
const DOOR = 'operator.json'

const door = z.object({ port: z.int(), token: z.string() })

let server: Server | undefined

/** Lets the operator of this machine ask the running process for a backup. */
export async function openOperatorDoor(database: Database, dataDir: string): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  server = createServer((asked, answer) => {
    answerOperator(asked, answer, token, () => writeArchive(database, dataDir, answer))
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
    log.error({ err: error }, 'a backup failed')
    answer.destroy()
  })
}

/** The archive of the process that runs in this folder; `undefined` when none does. */
export async function requestArchive(dataDir: string): Promise<IncomingMessage | undefined> {
  const known = readDoor(path.join(dataDir, DOOR))
  if (!known) return undefined
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${known.token}` }
    const asked = request({ host: '127.0.0.1', port: known.port, method: 'POST', headers }, (answer) => {
      if (answer.statusCode === 200) resolve(answer)
      else resolve(undefined)
    })
    // Left behind by a process that was killed.
    asked.on('error', (error) => ('code' in error && error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error)))
    asked.end()
  })
}

function readDoor(file: string) {
  try {
    return door.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
