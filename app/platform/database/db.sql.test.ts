import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from './open.server.ts'
import { isUnavailable } from './database-error.ts'
import { db, insert, newId, transaction } from './db.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

test('a query beside an open transaction throws instead of hanging forever', async () => {
  const work = transaction(async () => db.selectFrom('people').selectAll().execute())
  await expect(work).rejects.toThrow('Inside a transaction only its own trx may be used.')
})

test('insert returns the row as stored', async () => {
  const row = await insert(db, 'people', { email: 'ada@example.com', name: 'Ada' })
  expect(row).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
  expect(row.createdAt).toBeInstanceOf(Date)
})

test.each(['ENOSPC', 'EDQUOT', '53100', 'ETIMEDOUT'])('%s is an outage: a full disk and a timeout are not bugs', (code) => {
  expect(isUnavailable(Object.assign(new Error('write'), { code }))).toBe(true)
})

test('ids sort in the order of creation, however fast', () => {
  const ids = Array.from({ length: 1000 }, newId)
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
