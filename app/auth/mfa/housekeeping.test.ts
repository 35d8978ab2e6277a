import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import './housekeeping.server.ts'
import { jobOf } from '#test/job.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const ago = (hours: number) => new Date(Date.now() - hours * 3600 * 1000)

test('the daily job deletes challenges and unfinished enrolments of the day before, and keeps finished and new ones', async () => {
  const { id: userId } = await makeUser()
  const { id: sessionId } = await insert(db, 'sessions', { userId })
  const factor = (status: 'verified' | 'unverified', hours: number) =>
    insert(db, 'mfaFactors', { userId, status, factorType: 'totp', secretSealed: Buffer.of(1), createdAt: ago(hours) })
  const [finished, fresh] = [await factor('verified', 500), await factor('unverified', 23)]
  await factor('unverified', 25)
  const challenge = (hours: number) =>
    insert(db, 'mfaChallenges', { factorId: finished.id, sessionId, address: '127.0.0.1', createdAt: ago(hours) })
  const kept = await challenge(23)
  await challenge(25)

  const work = jobOf('factor-housekeeping')
  expect(work.every).toBe('day')
  await work.run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
  const factors = await db.selectFrom('mfaFactors').select('id').orderBy('createdAt').execute()
  expect(factors.map(({ id }) => id)).toEqual([finished.id, fresh.id])
  const challenges = await db.selectFrom('mfaChallenges').select('id').execute()
  expect(challenges.map(({ id }) => id)).toEqual([kept.id])
})
