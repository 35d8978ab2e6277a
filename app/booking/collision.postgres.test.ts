import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.RATE_LIMITS = 'off'
})

import { type Ask, contestsAt, COUNT_OVERLAPS, faultsOf, setUp } from '#test/collisions.ts'

/** The product once more, with modules and connections of its own, as in another process. */
async function startProcess() {
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
  const { sql } = await import('kysely')
  const { createHttp } = await import('#app/platform/http/http.server.ts')
  const { endpoints } = await import('#app/server.ts')
  await openDatabase()
  // Only an open database has it.
  const { db } = await import('#app/platform/database/db.server.ts')
  const app = createHttp()
  app.register(endpoints)
  await app.ready()
  const stop = async () => {
    await app.close()
    await closeDatabase()
  }
  return { app, run: async (statement: string) => (await sql.raw(statement).execute(db)).rows, stop }
}

const processes: Awaited<ReturnType<typeof startProcess>>[] = []
beforeAll(async () => {
  processes.push(await startProcess(), await startProcess())
  for (const statement of setUp) await first().run(statement)
})
afterAll(async () => {
  for (const { stop } of processes) await stop()
})

function first() {
  const [process] = processes
  if (!process) throw new Error('No process was started.')
  return process
}

const ask: Ask = async ({ method, path, body, cookie }, sender) => {
  const { app } = processes[sender % processes.length] ?? first()
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
  const reply = await app.inject({ method, url: path, headers, ...(body && { payload: body }) })
  const [given] = [reply.headers['set-cookie']].flat()
  return { status: reply.statusCode, body: reply.body ? reply.json() : undefined, cookie: given?.split(';')[0] }
}

test.each(Object.entries(contestsAt(ask)))('of 20 %s at once in two processes, exactly one wins', async (_, contest) => {
  for (let round = 0; round < 5; round += 1) {
    const outcome = await contest(round)
    expect(faultsOf(outcome)).toEqual([])
    expect(await first().run(COUNT_OVERLAPS)).toEqual([{ overlaps: 0 }])
    await outcome.clear()
  }
})
