import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import './housekeeping.server.ts'
import { jobOf } from '#test/job.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('only expired wallet messages are deleted each day', async () => {
  const at = (seconds: number) => ({ signatureHash: Buffer.of(seconds < 0 ? 1 : 2), expiresAt: new Date(Date.now() + seconds * 1000) })
  await db
    .insertInto('spentSignatures')
    .values([at(-1), at(60)])
    .execute()
  const work = jobOf('wallet-housekeeping')
  expect(work.every).toBe('day')
  await work.run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
  const left = await db.selectFrom('spentSignatures').select('signatureHash').execute()
  expect(left.map(({ signatureHash }) => signatureHash[0])).toEqual([2])
})
