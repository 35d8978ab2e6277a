import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db, transaction } from './db.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'
import { preparedStatement } from './sql.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const pair = preparedStatement<{ firstOne: string; other: number }>(
  (one, other) => sql`SELECT ${one}::text AS first_one, ${other}::int + ${1}::int AS other WHERE ${other}::int > 0`,
)

test('a prepared statement gets the values of each call, in any order and several times', async () => {
  expect(await pair(db, 'a', 1)).toEqual([{ firstOne: 'a', other: 2 }])
  expect(await pair(db, 'b', 41)).toEqual([{ firstOne: 'b', other: 42 }])
  expect(await transaction((trx) => pair(trx, 'c', 0))).toEqual([])
  const many = await Promise.all(Array.from({ length: 20 }, (_, at) => pair(db, `${at}`, at + 1)))
  expect(many.flat()).toEqual(Array.from({ length: 20 }, (_, at) => ({ firstOne: `${at}`, other: at + 2 })))
})

test('inside a transaction it runs in that one only, and with all of its values', async () => {
  await expect(transaction(() => pair(db, 'a', 1))).rejects.toThrow('Inside a transaction only its own trx may be used.')
  await expect(pair(db, 'a')).rejects.toThrow('takes 2 values, not 1')
})
