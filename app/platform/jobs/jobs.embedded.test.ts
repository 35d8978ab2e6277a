import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { eventually } from '#test/eventually.ts'
import { startJobs, stopJobs } from './job-worker.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('after a crash the next process takes over immediately: no other can hold a lease on the embedded database', async () => {
  const done = vi.fn<() => Promise<void>>(async () => undefined)
  defineJob('note', z.null(), done)
  await enqueue(db, { kind: 'note', payload: null })
  await db
    .updateTable('jobs')
    .set({ lockedUntil: new Date(Date.now() + 60_000) })
    .execute()
  startJobs()
  await eventually(() => expect(done).toHaveBeenCalledOnce())
  await stopJobs()
  const job = await db.selectFrom('jobs').select(['attempts', 'maxAttempts']).where('kind', '=', 'note').executeTakeFirstOrThrow()
  expect(job).toEqual({ attempts: 1, maxAttempts: 13 })
})
