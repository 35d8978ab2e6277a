import { sql } from 'kysely'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Connection } from './connect.server.ts'
import { isOutage } from './database-error.ts'
import { isDatabaseReady, useDatabase } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'

const server = new URL(env.DATABASE_URL ?? '')
const sockets = new Set<Socket>()
let isSilent = false
let url = ''
let database: Connection

/** A proxy to the server, which can fall silent with its connections open. */
const way = createServer((client) => {
  const upstream = connectTo(Number(server.port), server.hostname)
  client.on('data', (bytes) => upstream.write(bytes)).on('error', () => undefined)
  upstream.on('data', (bytes) => isSilent || client.write(bytes)).on('error', () => undefined)
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
  for (const socket of [client, upstream]) sockets.add(socket)
})

beforeAll(async () => {
  await once(way.listen(0, '127.0.0.1'), 'listening')
  const address = way.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  url = Object.assign(new URL(server), { port }).href
  database = await connectDatabase({ url }, { mostSilence: 1000 })
})
afterAll(async () => {
  await database.close()
  for (const socket of sockets) socket.destroy()
  way.close()
})

const ask = async () => (await sql<{ one: number }>`SELECT 1 AS one`.execute(database.kysely)).rows

test('a server that falls silent is an outage, and the next question finds one that speaks again', async () => {
  expect(await ask()).toEqual([{ one: 1 }])
  isSilent = true
  const failure: unknown = await ask().catch((error: unknown) => error)
  isSilent = false
  expect(isOutage(failure)).toBe(true)
  expect(await ask()).toEqual([{ one: 1 }])
})

test('what lasts longer than the silence that is allowed goes on while the server speaks', async () => {
  const spoken = Array.from({ length: 4 }, () => sql`SELECT pg_sleep(0.4)`)
  await database.kysely.connection().execute(async (one) => {
    for (const question of spoken) await question.execute(one)
  })
  expect(await ask()).toEqual([{ one: 1 }])
})

test('whoever asks whether we are ready hears no while the server is silent', async () => {
  const patient = await connectDatabase({ url })
  useDatabase(patient)
  expect(await isDatabaseReady()).toBe(true)
  isSilent = true
  expect(await isDatabaseReady()).toBe(false)
  isSilent = false
  for (const socket of sockets) socket.destroy()
  await patient.close()
})
