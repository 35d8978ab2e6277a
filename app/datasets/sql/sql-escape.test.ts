import { DuckDBInstance } from '@duckdb/node-api'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileEscapes, innerEscapes } from '#test/sql-escapes.ts'
import { findRefusal, lock, openEngine } from './locked-engine.server.ts'

/** A secret in another dataset and in a file of the machine, which no query may find. */
const PLANTED = 'planted-4711'
const folder = await mkdtemp(path.join(os.tmpdir(), 'escape-'))
const targets = {
  own: path.join(folder, 'own.parquet'),
  other: path.join(folder, 'other.parquet'),
  text: path.join(folder, 'secret.csv'),
  folder,
}
await writeFile(targets.text, `secret\n${PLANTED}\n`)
const writer = await (await DuckDBInstance.create()).connect()
await writer.run(`COPY (SELECT 1 AS id) TO '${targets.own}' (FORMAT parquet)`)
await writer.run(`COPY (SELECT '${PLANTED}' AS secret, 1 AS id) TO '${targets.other}' (FORMAT parquet)`)
const before = await readFile(targets.own)

const engine = await openEngine()
const tables = ['data']
await lock(engine, { file: targets.own, tables })
afterAll(() => rm(folder, { recursive: true, force: true }))

const outer = fileEscapes(targets)
const attempts = [...outer, ...innerEscapes(targets)]

test('there are more than 150 attempts to get out, and none is made twice', () => {
  expect(attempts.length).toBeGreaterThan(150)
  expect(new Set(attempts).size).toBe(attempts.length)
})

test('what the parser has understood is looked at first: not one attempt is done', async () => {
  const done: string[] = []
  for (const sql of attempts) if (!(await findRefusal(engine, { sql, tables }))) done.push(sql)
  expect(done).toEqual([])
})

test('were that door open, the engine itself would refuse every file', async () => {
  const done: string[] = []
  for (const sql of outer) {
    const rows = await engine.runAndReadAll(sql).then(
      (answer) => answer.getRowsJson(),
      () => undefined,
    )
    if (rows && (JSON.stringify(rows).includes(PLANTED) || rows.length > 0)) done.push(sql)
  }
  expect(done).toEqual([])
  expect((await readdir(folder)).toSorted()).toEqual(['other.parquet', 'own.parquet', 'secret.csv'])
  expect(await readFile(targets.own)).toEqual(before)
})

test('what reckons is let through: joins, windows, pivots, recursion, functions of lists and times', async () => {
  const questions = [
    'SELECT * FROM data d JOIN range(3) r ON true',
    'WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 5) SELECT sum(n) FROM a',
    'SELECT row_number() OVER (ORDER BY id) FROM data QUALIFY row_number() OVER () = 1',
    'PIVOT data ON id IN (1) USING count(*)',
    'SELECT list_transform([1, 2], n -> n + 1), unnest([1]), CURRENT_DATE, now()',
    'SUMMARIZE data',
    'DESCRIBE data',
    "FROM data WHERE regexp_matches(id::text, '\\d')",
    'VALUES (1), (2)',
    'SELECT * FROM DATA',
    'WITH tables AS (FROM data), columns AS (FROM tables) FROM columns',
  ]
  for (const sql of questions) {
    expect([sql, await findRefusal(engine, { sql, tables })]).toEqual([sql, undefined])
    expect((await engine.runAndReadAll(sql)).currentRowCount).toBeGreaterThan(0)
  }
})
