import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { eraseAddresses } from '#app/auth/users/audit.server.ts'
import './housekeeping.server.ts'
import { jobOf } from '#test/job.ts'

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

  const work = jobOf('audit-housekeeping')
  expect(work.every).toBe('day')
  await work.run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
  const left = await db.selectFrom('auditEvents').select('id').execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([young.id, today.id].toSorted())
})

test('the audit log is append-only: no statement changes, deletes or empties it', async () => {
  const kept = { id: newId(), action: 'login', detail: '{}', actorId: newId(), address: '192.0.2.7', createdAt: new Date(2020, 1, 1) }
  await insert(db, 'auditEvents', kept)
  const attempts = [
    () => db.updateTable('auditEvents').set({ action: 'logout' }).execute(),
    () => db.updateTable('auditEvents').set({ address: null }).execute(),
    () => db.deleteFrom('auditEvents').execute(),
    () => sql`TRUNCATE audit_events`.execute(db),
    () => transaction((trx) => sql`UPDATE audit_events SET created_at = now()`.execute(trx)),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow('The audit log cannot be changed')
  expect(await db.selectFrom('auditEvents').selectAll().where('id', '=', kept.id).executeTakeFirstOrThrow()).toMatchObject({
    action: 'login',
    address: '192.0.2.7',
  })
})

test('when an account is deleted its addresses go from the log, and only they', async () => {
  const actorId = newId()
  const { id } = await insert(db, 'auditEvents', { action: 'login', actorId, address: '192.0.2.7', detail: '{"a":1}' })
  await transaction(async (trx) => {
    await eraseAddresses(trx, actorId)
    // The permission to delete ends with the statement, not only with its transaction.
    await sql`SAVEPOINT before`.execute(trx)
    await expect(trx.updateTable('auditEvents').set({ address: null }).execute()).rejects.toThrow('cannot be changed')
    await sql`ROLLBACK TO SAVEPOINT before`.execute(trx)
  })
  const event = await db.selectFrom('auditEvents').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(event).toMatchObject({ action: 'login', actorId, address: null, detail: { a: 1 } })
})
