import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { db, insert, newId } from '#app/platform/db.server.ts'
import { jobKinds } from '#app/platform/jobs.server.ts'
import './housekeeping.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const DAY_MS = 24 * 3600 * 1000

test('every day what happened more than 24 months ago goes from the audit log; what is younger stays', async () => {
  const at = (months: number, days: number) => {
    const moment = new Date()
    moment.setUTCMonth(moment.getUTCMonth() - months)
    return new Date(moment.getTime() + days * DAY_MS)
  }
  const event = (createdAt: Date) => insert(db, 'auditEvents', { id: newId(), action: 'login', detail: '{}', createdAt })
  await event(at(24, -1))
  const young = await event(at(24, 1))
  const today = await event(new Date())

  const work = jobKinds().get('audit-housekeeping')
  expect(work?.every).toBe('day')
  await work?.run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
  const left = await db.selectFrom('auditEvents').select('id').execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([young.id, today.id].toSorted())
})
