import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyStatement } from './copy-statement.server.ts'
import { openedDatabase, transaction } from './db.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const threeRows = sql`SELECT n, NULL AS missing FROM generate_series(1, 3) AS n`

/** The values of each row, in hex. */
async function copy(query: RawBuilder<unknown>): Promise<(string | null)[][]> {
  const rows: (string | null)[][] = []
  await openedDatabase().copyOut(copyStatement(query), (row) => void rows.push(valuesOf(row)))
  return rows
}

function valuesOf(row: Buffer): (string | null)[] {
  let at = 2
  return Array.from({ length: row.readInt16BE() }, () => {
    const length = row.readInt32BE(at)
    const value = row.toString('hex', at + 4, at + 4 + Math.max(0, length))
    at += 4 + Math.max(0, length)
    return length < 0 ? null : value
  })
}

test('rows come one by one, in order', async () => {
  expect(await copy(threeRows)).toEqual([1, 2, 3].map((n) => [`0000000${n}`, null]))
})

test('a copy may have no row', async () => {
  expect(await copy(sql`SELECT 1 WHERE false`)).toEqual([])
})

test('values are literals, whatever they hold', async () => {
  const hostile = String.raw`it's \' ; DROP "TABLE" $1 -- ü`
  expect(await copy(sql`SELECT ${hostile}::text, ${'A'.repeat(100_000)}::text`)).toEqual([
    [Buffer.from(hostile).toString('hex'), '41'.repeat(100_000)],
  ])
})

test('errors of the statement and of the callback are thrown; the connection still works', async () => {
  await expect(copy(sql`SELECT 1 / 0`)).rejects.toThrow('division by zero')
  await expect(copy(sql`SELECT 1 / (3 - n) FROM generate_series(1, 3) AS n`)).rejects.toThrow('division by zero')
  const refused = openedDatabase().copyOut(copyStatement(threeRows), () => {
    throw new Error('the row was refused')
  })
  await expect(refused).rejects.toThrow('the row was refused')
  expect(await copy(threeRows)).toHaveLength(3)
})

test('a callback that throws among many rows is not called again', async () => {
  const many = sql`SELECT n, repeat('x', 3000) FROM generate_series(1, 5000) AS n`
  let calls = 0
  const refused = openedDatabase().copyOut(copyStatement(many), () => {
    calls += 1
    if (calls === 2_500) throw new Error('the row was refused')
  })
  await expect(refused).rejects.toThrow('the row was refused')
  expect(calls).toBe(2_500)
  const rows = await copy(many)
  expect(rows.map(([n]) => Number.parseInt(n ?? '', 16))).toEqual(Array.from({ length: 5_000 }, (_, at) => at + 1))
  expect(new Set(rows.map(([, text]) => text))).toEqual(new Set(['78'.repeat(3_000)]))
})

test('the copy is not part of an open transaction', async () => {
  await expect(transaction(async () => copy(threeRows))).rejects.toThrow('only its own trx')
})
