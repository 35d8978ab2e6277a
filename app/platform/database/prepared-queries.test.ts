import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { PreparedQueries } from './prepared-queries.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-prepared-'))
const engine = await PGlite.create({ fs: new NodeFS(path.join(folder, 'database')) })
const queries = new PreparedQueries(engine)
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

beforeEach(async () => {
  await engine.exec(
    'DROP TABLE IF EXISTS things; CREATE TABLE things (id int PRIMARY KEY, name text, tags text[], more jsonb, photo bytea)',
  )
})

async function countPrepared(): Promise<number> {
  return (await engine.query('SELECT name FROM pg_prepared_statements')).rows.length
}

test('a repeated query gives the rows of the engine’s own query, of all types', async () => {
  const insert = 'INSERT INTO things VALUES ($1, $2, $3, $4, $5) RETURNING *'
  const values = [['a', 'b"c', null], { deep: [1, null] }, new Uint8Array([0, 255, 7])]
  for (const id of [1, 2, 3, 4]) await queries.query(insert, [id, id === 2 ? null : 'Ünï', ...values])
  await queries.query(insert, [5, 'x', [], 'null', null])
  const read = `SELECT things.*, count(*) OVER () AS total, now() - now() AS span, true AS yes, 'null'::jsonb AS nothing FROM things WHERE id > $1 ORDER BY id`
  const { rows } = await engine.query(read, [0])
  expect(rows).toHaveLength(5)
  for (let time = 0; time < 3; time += 1) expect((await queries.query(read, [0])).rows).toEqual(rows)
})

test('it counts the rows that a statement has changed', async () => {
  for (const id of [1, 2, 3]) {
    expect(await queries.query('INSERT INTO things (id) VALUES ($1)', [id])).toMatchObject({ affectedRows: 1, rows: [] })
  }
  const update = 'UPDATE things SET name = $1 WHERE id > $2'
  for (let time = 0; time < 3; time += 1) expect(await queries.query(update, ['new', 1])).toMatchObject({ affectedRows: 2 })
  expect(await queries.query('SELECT * FROM things')).toMatchObject({ affectedRows: 0 })
})

test('a statement stays prepared from its second use', async () => {
  const before = await countPrepared()
  const read = 'SELECT name AS prepared FROM things WHERE id = $1'
  await queries.query(read, [1])
  expect(await countPrepared()).toBe(before)
  for (let time = 0; time < 3; time += 1) await queries.query(read, [1])
  expect(await countPrepared()).toBe(before + 1)
})

test('an error is that of the engine, and the next query works, outside and inside a transaction', async () => {
  const insert = 'INSERT INTO things (id) VALUES ($1)'
  for (const id of [1, 2]) await queries.query(insert, [id])
  for (let time = 0; time < 3; time += 1) {
    await expect(queries.query(insert, [1])).rejects.toMatchObject({ code: '23505', constraint: 'things_pkey' })
    await expect(queries.query('SELECT nothing FROM things')).rejects.toMatchObject({ code: '42703' })
    await expect(queries.query('SELECT $1::boolean', ['maybe'])).rejects.toThrow('boolean')
  }
  const failed = engine.transaction(async (trx) => {
    await queries.queryInside([insert, [3]], trx.query.bind(trx))
    await queries.queryInside([insert, [1]], trx.query.bind(trx))
  })
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect((await queries.query('SELECT id FROM things ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }])
})

test('a column that was added or dropped is noticed, whether the queries or the engine itself changed the table', async () => {
  const read = 'SELECT * FROM things'
  await engine.query('INSERT INTO things (id) VALUES (1)')
  for (let time = 0; time < 3; time += 1) await queries.query(read)
  await engine.query('ALTER TABLE things ADD COLUMN price int DEFAULT 5')
  expect((await queries.query(read)).rows).toMatchObject([{ id: 1, price: 5 }])
  await queries.query('ALTER TABLE things DROP COLUMN price')
  expect((await queries.query(read)).rows).not.toMatchObject([{ price: 5 }])
})

test('as many as the engine should remember stay prepared, and the others still work', async () => {
  for (let time = 0; time < 2; time += 1) {
    for (let number = 0; number < 200; number += 1) {
      expect((await queries.query(`SELECT $1::int + ${number} AS sum`, [1])).rows).toEqual([{ sum: number + 1 }])
    }
  }
  expect(await countPrepared()).toBeLessThanOrEqual(130)
})
