import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { eventually } from '#test/eventually.ts'
import { claimJobs, renewJobs } from './job-queue.server.ts'
import { startJobs, stopJobs } from './job-worker.server.ts'
import { countJobs, defineJob, enqueue, JobFailure, takeDueJobs } from '#app/platform/jobs.server.ts'

const seen: string[] = []
let release: (() => void) | undefined

beforeAll(async () => {
  await openDatabase()
  defineJob('note', z.object({ text: z.string() }), async ({ text }) => void seen.push(text))
  defineJob('forgetful', z.object({ secret: z.string() }), async () => ({ kept: true }))
  defineJob('hopeless', z.null(), async () => {
    throw new JobFailure('The address does not exist.', { permanent: true })
  })
  defineJob('unlucky', z.null(), async () => {
    throw new Error('ada@example.com was refused')
  })
  defineJob('slow', z.null(), () => new Promise<void>((resolve) => (release = resolve)))
  defineJob('elsewhere', z.null(), async () => void seen.push('elsewhere'), { waits: true })
  defineJob('yearning', z.null(), async () => void seen.push('yearning'), { every: 'day' })
})
beforeEach(() => void seen.splice(0))
afterEach(async () => {
  await stopJobs()
  await db.deleteFrom('jobs').execute()
})
afterAll(closeDatabase)

const jobs = () => db.selectFrom('jobs').selectAll().orderBy('id').execute()
const only = async (kind: string) => db.selectFrom('jobs').selectAll().where('kind', '=', kind).executeTakeFirstOrThrow()

test('a job enqueued in a transaction that fails never runs', async () => {
  startJobs()
  const lost = transaction(async (trx) => {
    await enqueue(trx, { kind: 'note', payload: { text: 'lost' } })
    throw new Error('no')
  })
  await expect(lost).rejects.toThrow('no')
  await transaction((trx) => enqueue(trx, { kind: 'note', payload: { text: 'kept' } }))
  await eventually(async () => expect((await only('note')).doneAt).toBeInstanceOf(Date))
  expect(seen.filter((text) => text !== 'yearning')).toEqual(['kept'])
})

test('a new job starts immediately, not at the next poll', async () => {
  startJobs()
  await eventually(() => expect(seen).toContain('yearning'))
  const waits: number[] = []
  for (const text of ['first', 'second', 'third', 'fourth', 'fifth']) {
    const start = performance.now()
    await enqueue(db, { kind: 'note', payload: { text } })
    await eventually(() => expect(seen).toContain(text), { interval: 5 })
    waits.push(performance.now() - start)
  }
  // Polls are a second apart, so a job right after the first would otherwise take a full second. One fast job is proof.
  expect(Math.min(...waits.slice(1))).toBeLessThan(900)
})

test('one key is one job', async () => {
  await enqueue(
    db,
    { kind: 'note', payload: { text: 'once' }, dedupeKey: 'a' },
    { kind: 'note', payload: { text: 'twice' }, dedupeKey: 'a' },
  )
  expect(await jobs()).toHaveLength(1)
})

test('only the holder of a job renews its lease', async () => {
  await enqueue(db, { kind: 'note', payload: { text: 'long' } })
  const [job] = await claimJobs([{ kinds: ['note'], room: 1 }])
  const passed = new Date(0)
  await db.updateTable('jobs').set({ lockedUntil: passed }).execute()
  await renewJobs([{ id: job?.id ?? '', attempts: 0 }])
  expect((await only('note')).lockedUntil).toEqual(passed)
  await renewJobs([{ id: job?.id ?? '', attempts: 1 }])
  expect(Number((await only('note')).lockedUntil)).toBeGreaterThan(Date.now())
})

test('a daily job is enqueued once, however often the process starts', async () => {
  startJobs()
  await eventually(() => expect(seen).toContain('yearning'))
  await stopJobs()
  startJobs()
  await enqueue(db, { kind: 'note', payload: { text: 'after' } })
  await eventually(() => expect(seen).toContain('after'))
  expect(seen.filter((text) => text === 'yearning')).toHaveLength(1)
})

test('jobs that one run takes along come oldest first, however the rows are stored', async () => {
  const texts = Array.from({ length: 40 }, (_, at) => `${at}`)
  const now = Date.now()
  // The oldest is stored last, and every third row is stored again.
  for (const text of texts.toReversed())
    await enqueue(db, { kind: 'note', payload: { text }, runAt: new Date(now - 60_000 + Number(text)) })
  await sql`UPDATE jobs SET last_error = NULL WHERE (payload->>'text')::int % 3 = 0`.execute(db)
  const taken = await transaction((trx) => takeDueJobs(trx, 'note', 30))
  expect(taken).toEqual(texts.slice(0, 30).map((text) => ({ text })))
})

test('the result of a job replaces its payload', async () => {
  await enqueue(db, { kind: 'forgetful', payload: { secret: 'hunter2' } })
  startJobs()
  await eventually(async () => expect((await only('forgetful')).doneAt).toBeInstanceOf(Date))
  expect((await only('forgetful')).payload).toEqual({ kept: true })
})

test('a temporary failure is retried later, and its text is not stored', async () => {
  await enqueue(db, { kind: 'unlucky', payload: null })
  startJobs()
  await eventually(async () => expect((await only('unlucky')).lastError).toBe('Error'))
  const job = await only('unlucky')
  expect(job).toMatchObject({ attempts: 1, failedAt: null, doneAt: null, lockedUntil: null })
  const wait = job.runAt.getTime() - Date.now()
  expect(wait).toBeGreaterThan(8_000)
  expect(wait).toBeLessThan(20_000)
  expect(await countJobs()).toMatchObject({ later: 1, failed: 0 })
})

test('a permanent failure ends the job immediately and says why', async () => {
  await enqueue(db, { kind: 'hopeless', payload: null })
  startJobs()
  await eventually(async () => expect((await only('hopeless')).failedAt).toBeInstanceOf(Date))
  expect(await only('hopeless')).toMatchObject({ attempts: 1, lastError: 'The address does not exist.' })
  expect(await countJobs()).toMatchObject({ failed: 1 })
})

test('the last failure ends the job', async () => {
  await enqueue(db, { kind: 'unlucky', payload: null })
  await db.updateTable('jobs').set({ attempts: 11 }).execute()
  startJobs()
  await eventually(async () => expect(await only('unlucky')).toMatchObject({ attempts: 12, maxAttempts: 12, lastError: 'Error' }))
  expect((await only('unlucky')).failedAt).toBeInstanceOf(Date)
})

test('an attempt that was cut off is not a failure: another one replaces it, and the retry delay does not grow', async () => {
  await enqueue(db, { kind: 'unlucky', payload: null })
  await db
    .updateTable('jobs')
    .set({ attempts: 12, maxAttempts: 23, lockedUntil: new Date(0) })
    .execute()
  startJobs()
  await eventually(async () => expect((await only('unlucky')).lastError).toBe('Error'))
  const job = await only('unlucky')
  expect(job).toMatchObject({ attempts: 13, maxAttempts: 24, failedAt: null })
  expect(job.runAt.getTime() - Date.now()).toBeLessThan(20_000)
})

test('a job that is cut off again and again ends all the same, and does not start again', async () => {
  await enqueue(db, { kind: 'note', payload: { text: 'killer' } })
  await db
    .updateTable('jobs')
    .set({ attempts: 200, maxAttempts: 200, lockedUntil: new Date(0) })
    .execute()
  startJobs()
  await eventually(async () => expect(await countJobs()).toMatchObject({ failed: 1 }))
  expect(seen).not.toContain('killer')
  expect(await only('note')).toMatchObject({ lastError: 'Each attempt was cut off.' })
})

test('an expired lease is taken over, a valid one is not', async () => {
  startJobs()
  await eventually(() => expect(seen).toContain('yearning'))
  const leased = (text: string, lockedUntil: Date) => ({ id: newId(), kind: 'note', payload: JSON.stringify({ text }), lockedUntil })
  await db
    .insertInto('jobs')
    .values([leased('orphan', new Date(Date.now() - 1000)), leased('held', new Date(Date.now() + 60_000))])
    .execute()
  await eventually(() => expect(seen).toContain('orphan'))
  expect(seen).not.toContain('held')
})

test('a shutdown lets running jobs finish, and hands back those that do not end in time', async () => {
  await enqueue(db, { kind: 'slow', payload: null })
  startJobs()
  await eventually(() => expect(release).toBeDefined())
  const stopped = stopJobs()
  release?.()
  await stopped
  expect((await only('slow')).doneAt).toBeInstanceOf(Date)

  await enqueue(db, { kind: 'slow', payload: null })
  release = undefined
  startJobs()
  await eventually(() => expect(release).toBeDefined())
  await stopJobs(100)
  const handedBack = await db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', 'slow')
    .where('doneAt', 'is', null)
    .executeTakeFirstOrThrow()
  expect(handedBack).toMatchObject({ lockedUntil: null, failedAt: null })
})

test('jobs of unknown or paused kinds stay due', async () => {
  await enqueue(db, { kind: 'elsewhere', payload: null }, { kind: 'unknown', payload: null }, { kind: 'note', payload: { text: 'mine' } })
  startJobs()
  await eventually(() => expect(seen).toContain('mine'))
  expect(await only('elsewhere')).toMatchObject({ attempts: 0, doneAt: null })
  expect(await only('unknown')).toMatchObject({ attempts: 0, doneAt: null })
})
