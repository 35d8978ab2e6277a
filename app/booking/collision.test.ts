import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.RATE_LIMITS = 'off'
})

import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { byLength } from '#test/length.ts'
import { type Ask, contestsAt, COUNT_OVERLAPS, faultsOf, setUp } from '#test/collisions.ts'

const app = await startEndpoints()
const ROUNDS = byLength(1, 3)

const ask: Ask = async ({ method, path, body, cookie }) => {
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
  const reply = await app.inject({ method, url: path, headers, ...(body && { payload: body }) })
  const [given] = [reply.headers['set-cookie']].flat()
  return { status: reply.statusCode, body: reply.body ? reply.json() : undefined, cookie: given?.split(';')[0] }
}

beforeEach(async () => {
  for (const statement of setUp) await sql.raw(statement).execute(db)
})
afterEach(async () => {
  for (const table of ['bookings', 'bookingHosts', 'users'] as const) await db.deleteFrom(table).execute()
})

const contests = contestsAt(ask)

test.each(Object.entries(contests))('of 20 %s at once, exactly one wins, and the others learn what is free', async (_, contest) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const outcome = await contest(round)
    expect(faultsOf(outcome)).toEqual([])
    expect((await sql.raw(COUNT_OVERLAPS).execute(db)).rows).toEqual([{ overlaps: 0 }])
    await outcome.clear()
  }
})
