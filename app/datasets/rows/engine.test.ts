import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { queryDuckdb, closeEngine, EngineError, literal, identifier } from './engine.server.ts'

const datasets = path.resolve(env.DATA_DIR, 'files/datasets')
/** Runs longer than any time limit. */
const ENDLESS = 'SELECT count(*) AS n FROM range(1000000000000) AS t(i) WHERE hash(i) = 42'

beforeAll(() => mkdirSync(datasets, { recursive: true }))
afterAll(closeEngine)

const why = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  )

describe('happy', () => {
  test('answers are plain values: exact numbers as numbers, what JavaScript would round as text, nested ones as they are', async () => {
    const sql = `SELECT 9007199254740991 AS most, 9007199254740993 AS beyond, 1.10::DECIMAL(9,2) AS price, 0.1::DOUBLE AS share, 'it''s' AS text, true AS yes,
      DATE '2026-02-28' AS day, NULL AS nothing, [1, 2] AS list, {'a': 5::BIGINT} AS object, $1 AS given, $2::HUGEINT AS huge`
    expect(await queryDuckdb(sql, ["'; DROP TABLE x; --", 170141183460469231731687303715884105727n])).toEqual([
      {
        most: 9007199254740991,
        beyond: '9007199254740993',
        price: '1.10',
        share: 0.1,
        text: "it's",
        yes: true,
        day: '2026-02-28',
        nothing: null,
        list: [1, 2],
        object: { a: 5 },
        given: "'; DROP TABLE x; --",
        huge: '170141183460469231731687303715884105727',
      },
    ])
  })

  test('it writes and reads where datasets lie, more questions at once than run at once, and opens again once it was closed', async () => {
    const place = literal(path.join(datasets, "o'clock.parquet"))
    await queryDuckdb(`COPY (SELECT range AS ${identifier('a "b"')} FROM range(10)) TO ${place} (FORMAT parquet)`, [], { queue: 'work' })
    const sum = () => queryDuckdb(`SELECT sum(${identifier('a "b"')})::INTEGER AS sum FROM read_parquet(${place})`)
    expect(await Promise.all(Array.from({ length: 20 }, sum))).toEqual(Array.from({ length: 20 }, () => [{ sum: 45 }]))
    const running = why(queryDuckdb(ENDLESS))
    await sum()
    await closeEngine()
    expect(await running).toBeInstanceOf(EngineError)
    expect(await sum()).toEqual([{ sum: 45 }])
  })
})

describe('error', () => {
  test('who leaves stops the work; what takes too long is told so; both leave the engine as it was', async () => {
    const gone = new AbortController()
    const reason = new Error('the visitor has gone')
    const asked = why(queryDuckdb(ENDLESS, [], { signal: gone.signal }))
    await queryDuckdb('SELECT 1')
    gone.abort(reason)
    expect(await asked).toBe(reason)
    expect(await why(queryDuckdb(ENDLESS, [], { signal: gone.signal }))).toBe(reason)
    expect(await why(queryDuckdb(ENDLESS, [], { seconds: 0.2 }))).toMatchObject({
      status: 504,
      data: expect.stringContaining('Try fewer'),
    })
    expect(await queryDuckdb('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('beyond those that run and those that wait, more are sent away; work that takes long keeps nobody from a page', async () => {
    const gone = new AbortController()
    const long = [why(queryDuckdb(ENDLESS, [], { queue: 'work', signal: gone.signal }))]
    expect(await queryDuckdb('SELECT 1 AS one')).toEqual([{ one: 1 }])
    long.push(...Array.from({ length: 102 }, () => why(queryDuckdb(ENDLESS, [], { signal: gone.signal }))))
    expect(await why(queryDuckdb('SELECT 1'))).toMatchObject({ status: 503, extra: { retryAfter: 2 } })
    const reason = new Error('all gone')
    gone.abort(reason)
    expect(new Set(await Promise.all(long))).toEqual(new Set([reason]))
    expect(await queryDuckdb('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('what DuckDB says of a mistake is at hand for whoever asked, but not in what is logged of an error', async () => {
    const error = await why(queryDuckdb(`SELECT CAST($1 AS INTEGER)`, ['ada@example.com']))
    expect(error).toMatchObject({
      name: 'EngineError',
      message: 'DuckDB: Conversion Error',
      detail: expect.stringContaining('ada@example.com'),
    })
  })

  test('a question that needs more memory than there is, is refused, and the next one is answered', async () => {
    const greedy = `SELECT length(string_agg(repeat('x', 1000000), '')) FROM range(2000)`
    expect(await why(queryDuckdb(greedy))).toMatchObject({ status: 503, data: expect.stringContaining('enough memory') })
    expect(await queryDuckdb('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('security', () => {
  const outside = path.resolve(env.DATA_DIR, 'keys.csv')
  beforeAll(() => writeFileSync(outside, 'secret\n1\n'))

  test.each([
    `SELECT * FROM read_csv(${literal(outside)})`,
    `SELECT * FROM read_csv(${literal(path.join(datasets, '../../keys.csv'))})`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM glob('/*')`,
    `SELECT * FROM read_parquet('https://example.com/x.parquet')`,
    `COPY (SELECT 1) TO ${literal(path.resolve(env.DATA_DIR, 'files/images'))}`,
    `ATTACH ${literal(path.resolve(env.DATA_DIR, 'x.db'))}`,
    'INSTALL httpfs',
    'LOAD httpfs',
    `SET allowed_directories = ['/']`,
    'SET enable_external_access = true',
    'SET threads = 64',
    `SET memory_limit = '64GB'`,
    `RESET lock_configuration`,
  ])('it does nothing beyond the folders of datasets: %s', async (sql) => {
    expect(await why(queryDuckdb(sql))).toBeInstanceOf(EngineError)
  })
})
