import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { Upkeep } from './upkeep.server.ts'
import { isDeath } from './database-error.ts'
import { type Embedded, openEmbedded } from './embedded.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-embedded-'))
let engine: Embedded

beforeAll(async () => {
  engine = await openEmbedded(folder)
  await engine.exec('CREATE TABLE grains (id integer PRIMARY KEY, note text)')
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const checkpoint = async () =>
  (await engine.query<{ at: string }>('SELECT checkpoint_lsn::text AS at FROM pg_control_checkpoint()')).rows[0]?.at
const sow = (from: number, to: number) =>
  engine.query('INSERT INTO grains SELECT n, $1 FROM generate_series($2::int, $3::int) AS n', ['x', from, to])

test('a second process in the folder is refused in one sentence', async () => {
  await expect(openEmbedded(folder)).rejects.toThrow(
    /^Another process is using .+\. Stop it first, or give this one a DATA_DIR of its own\.$/,
  )
})

test('timers run while queries follow each other', async () => {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  for (let time = 0; time < 3000; time++) await engine.query('SELECT 1')
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(10)
})

test('the journal is shortened after many writes, and not before', async () => {
  const before = await checkpoint()
  await sow(1, 49_999)
  expect(await checkpoint()).toBe(before)
  await sow(50_000, 50_000)
  await eventually(async () => expect(await checkpoint()).not.toBe(before))
})

test('deleted rows are vacuumed, and the planner has statistics of a table', async () => {
  const upkeep = new Upkeep(engine)
  upkeep.noteWrites((await engine.query('DELETE FROM grains WHERE id > 100')).affectedRows ?? 0)
  await upkeep.vacuum()
  upkeep.end()
  const { rows } = await engine.query<{ pages: number; rows: number }>(
    `SELECT relpages AS pages, reltuples::int AS rows FROM pg_class WHERE relname = 'grains'`,
  )
  expect(rows).toEqual([{ pages: 1, rows: 100 }])
})

test('the death of the engine is distinguished from the error of a query', async () => {
  const failed = await engine.query('SELECT 1 / 0').catch((error: unknown) => error)
  expect(isDeath(failed)).toBe(false)
  expect(isDeath(new WebAssembly.RuntimeError('unreachable'))).toBe(true)
  expect(isDeath(new Error('Aborted(). Build with -sASSERTIONS for more info.'))).toBe(true)
})
