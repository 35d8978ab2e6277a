// The modules of an earlier file may still have a process that starts queries; this one has to see its own begin.
vi.hoisted(() => vi.resetModules())

import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { exampleQuestions } from './example-queries.ts'
import { runQuery as askProcess } from './query-process.server.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)
/** The process that starts queries: the last one whose priority was set. */
let starter = 0
// Beside all other tests, a query of the lowest priority would hardly start.
const rank = vi.spyOn(os, 'setPriority').mockImplementation((pid) => void (starter = pid))
const system = vi.spyOn(os, 'platform').mockReturnValue('darwin')
afterAll(() => {
  rank.mockRestore()
  system.mockRestore()
})

/** Looks at the processes of queries until `end`, which returns the most kilobytes of memory that one of them held. */
function watchQueries() {
  let most = 0
  const timer = setInterval(() => {
    for (const pid of read(`/proc/${starter}/task/${starter}/children`).split(' ').filter(Boolean)) {
      most = Math.max(most, Number(/^VmHWM:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0))
    }
  }, 10)
  return {
    end() {
      clearInterval(timer)
      expect(most, 'the memory of a query was seen').toBeGreaterThan(50_000)
      return most
    },
  }
}

/** A process may end between two looks. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A published product whose rows come from some SQL. */
async function makeAsked({
  rows = "SELECT 'apple' AS fruit, 3 AS price",
  slug = `fruit-${newId()}`,
  isFree = true,
  number = 1,
  productId = newId(),
} = {}) {
  const id = newId()
  const file = path.resolve(env.DATA_DIR, `files/datasets/${id}/data.parquet`)
  await mkdir(path.dirname(file), { recursive: true })
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`COPY (${rows}) TO '${file}' (FORMAT parquet)`)
  const known = await db.selectFrom('dataProducts').selectAll().where('id', '=', productId).executeTakeFirst()
  const product =
    known ??
    (await insert(db, 'dataProducts', {
      id: productId,
      slug,
      position: 1,
      name: 'Fruit',
      description: 'Prices',
      category: 'Food',
      priceCents: isFree ? 0 : 500,
      isFree,
      hidden: false,
    }))
  await insert(db, 'datasetVersions', {
    id,
    productId,
    number,
    state: 'published',
    originalName: 'fruit.csv',
    originalFormat: 'csv',
    originalBytes: 1,
    originalSha256: 'x',
    createdBy: newId(),
  })
  await db.updateTable('dataProducts').set({ currentVersionId: id }).where('id', '=', productId).execute()
  return { ...product, versionId: id, file }
}

const asked = await makeAsked({
  rows: "SELECT range AS id, 'fruit ' || (range % 5) AS fruit, (range * 1.5)::decimal(9, 2) AS price, DATE '2026-01-01' + (range % 9)::int AS day FROM range(12000)",
})
const secret = await makeAsked({ rows: "SELECT 'nobody may see this' AS hidden", isFree: false })
const customer = await signIn('customer')

const ask = (
  sql: unknown,
  { who = customer, product = asked.id, ...body }: { who?: SignedIn | undefined; product?: string; version?: number } = {},
) => app.inject({ method: 'POST', url: `/api/data-products/${product}/query`, headers: who.headers, payload: { sql, ...body } })

const SLOW = 'SELECT count(*) FROM range(30000000) a WHERE a.range % 7 = 3'

describe('happy', () => {
  test('who has a dataset asks it in SQL, by the name data or its own, and gets names, types and rows as the API has them everywhere', async () => {
    const answer = await ask(
      `WITH few AS (SELECT * FROM data WHERE id < 3) SELECT count(*) AS n, sum(price) AS total, min(day) AS first FROM few JOIN "${asked.slug}" USING (id, price, day)`,
    )
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    expect(answer.json()).toEqual({
      columns: [
        { name: 'n', type: 'integer' },
        { name: 'total', type: 'number' },
        { name: 'first', type: 'date' },
      ],
      rows: [[3, '4.50', '2026-01-01']],
      truncated: false,
      ms: expect.any(Number),
    })
    const kinds =
      await ask(`SELECT 9007199254740993 AS large, TIMESTAMP '2026-01-01 10:00:00' AS at, [1::bigint, 2] AS list, {'a': 1::bigint} AS object,
      '{"b": 2}'::json AS json, NULL AS nothing, 'nan'::double AS nan, INTERVAL 3 DAY AS span, true AS yes FROM ${asked.slug.replaceAll('-', '_')} LIMIT 1`)
    expect(kinds.json().rows).toEqual([
      ['9007199254740993', '2026-01-01T10:00:00', [1, 2], { a: 1 }, { b: 2 }, null, 'NaN', '3 days', true],
    ])
    expect((await ask('SUMMARIZE data')).json().rows).toHaveLength(4)
    expect(rank).toHaveBeenCalledWith(expect.any(Number), 15)
  })

  test('the example with a time zone finds the row of that moment, where a plain text with the offset finds none', async () => {
    const product = await makeProduct()
    const { columns } = await makeDataset(product, 'at,price\n2024-06-01T12:00:00-04:00,1\n2024-06-01T12:00:00Z,2\n')
    const example = exampleQuestions(columns).find(({ sql }) => sql.includes('TIMESTAMPTZ'))
    expect(example?.sql).toContain(`WHERE "at" >= TIMESTAMPTZ '2024-06-01T12:00:00-04:00'`)
    const rowsOf = async (sql: string) => (await ask(sql, { product: product.id })).json<{ rows: unknown[][] }>().rows
    expect(await rowsOf(example?.sql ?? '')).toEqual([['2024-06-01T16:00:00', 1]])
    expect(await rowsOf(`SELECT * FROM data WHERE "at" >= '2024-06-01T16:30:00+04:00'`)).toEqual([])
    expect(await rowsOf(`SELECT count(*) FROM data WHERE "at" >= TIMESTAMPTZ '2024-06-01T16:30:00+04:00'`)).toEqual([[1]])
  })

  test('of many rows the first 10,000 are given, of wide ones fewer, and that is said', async () => {
    const many = (await ask('FROM data')).json()
    expect([many.rows.length, many.truncated]).toEqual([10_000, true])
    const wide = await ask("SELECT repeat('x', 2000) FROM data")
    expect([wide.json().truncated, wide.rawPayload.length > 9_000_000, wide.rawPayload.length < 10_100_000]).toEqual([true, true, true])
  })

  test('a version that was published before can be asked, one that was not is not there', async () => {
    const { productId } = { productId: newId() }
    await makeAsked({ productId, rows: 'SELECT 1 AS n' })
    await makeAsked({ productId, rows: 'SELECT 2 AS n', number: 2 })
    expect((await ask('FROM data', { product: productId })).json().rows).toEqual([[2]])
    expect((await ask('FROM data', { product: productId, version: 1 })).json().rows).toEqual([[1]])
    expect((await ask('FROM data', { product: productId, version: 3 })).statusCode).toBe(404)
  })
})

describe('error', () => {
  test.each([
    ['SELECT 1 FRM x y', 'sql_error', 13],
    ["SELECT 'é', nothing FROM data", 'sql_error', 12],
    ['SELECT 1e400', 'sql_error', undefined],
    ['SELECT 1; SELECT 2', 'sql_not_allowed', undefined],
    ['', 'validation_failed', undefined],
    [null, 'validation_failed', undefined],
    ['SELECT $1', 'sql_error', undefined],
  ])('%s is refused with what is wrong and where', async (sql, code, position) => {
    const answer = await ask(sql)
    expect(answer.json()).toMatchObject({ status: 422, code, errors: { sql: expect.any(String) } })
    expect(answer.json().problems?.[0]?.position).toBe(position)
  })

  test.each([
    ['one long list', "SELECT list(repeat('x', 100000) || range) FROM range(100000)"],
    ['many groups', "SELECT md5(range::text) AS a, list(repeat('y', 5000)) FROM range(20000000) GROUP BY a"],
    [
      'a wide join',
      'SELECT count(*) FROM (SELECT repeat(range::text, 500) AS a FROM range(3000000)) b JOIN (SELECT repeat(range::text, 500) AS a FROM range(3000000)) c USING (a)',
    ],
  ])(
    'a question that needs too much memory (%s) is stopped before it holds 1.5 GB, and the next one has its answer',
    async (_kind, sql) => {
      const watched = watchQueries()
      expect((await ask(sql)).json()).toMatchObject({ status: 422, code: 'sql_memory' })
      expect(watched.end()).toBeLessThan(1_500_000)
      expect((await ask('SELECT 1')).json().rows).toEqual([[1]])
    },
  )

  test('when the process ends that starts those for questions, whoever waits is told, and the next one has its answer', async () => {
    const endless = 'SELECT count(*) FROM range(1000000000000) a WHERE a.range % 7 = 3'
    const waiting = askProcess({ file: asked.file, tables: ['data'], sql: endless }, new AbortController().signal)
    // Number 0 would be this process and all beside it.
    expect(starter).toBeGreaterThan(0)
    process.kill(starter, 'SIGKILL')
    await expect(waiting).rejects.toThrow('SIGKILL')
    expect((await ask('SELECT 1')).json().rows).toEqual([[1]])
  })

  test('what has no data yet, and what is not there', async () => {
    const { id } = await insert(db, 'dataProducts', {
      slug: `bare-${newId()}`,
      position: 1,
      name: 'Bare',
      description: 'Bare',
      category: 'Food',
      priceCents: 0,
      isFree: true,
      hidden: false,
    })
    expect((await ask('SELECT 1', { product: id })).json()).toMatchObject({ status: 409, code: 'not_published' })
    expect((await ask('SELECT 1', { product: newId() })).statusCode).toBe(404)
  })
})

describe('security', () => {
  test('a stranger signs in first, a paid dataset has to be paid for, a hidden one is not there; staff may ask all', async () => {
    const staff = await signIn('staff')
    const stranger = await app.inject({ method: 'POST', url: `/api/data-products/${asked.id}/query`, payload: { sql: 'SELECT 1' } })
    expect(stranger.statusCode).toBe(401)
    expect((await ask('FROM data', { product: secret.id })).json()).toMatchObject({
      status: 402,
      checkoutUrl: `/data-marketplace/${secret.slug}/buy`,
    })
    expect((await ask('FROM data', { product: secret.id, who: staff })).statusCode).toBe(200)
    await db.updateTable('dataProducts').set({ hidden: true }).where('id', '=', secret.id).execute()
    expect((await ask('FROM data', { product: secret.id })).statusCode).toBe(404)
    expect((await ask('FROM data', { product: secret.id, who: staff })).statusCode).toBe(200)
  })

  test('one customer cannot keep the only place for queries: people take turns, then the order of arrival counts', async () => {
    const processors = vi.spyOn(os, 'availableParallelism').mockReturnValue(2)
    const others = [await signIn('customer'), await signIn('customer')]
    const done: string[] = []
    // Each takes long enough that its response is here before that of the next one.
    const send = async (name: string, who: SignedIn | undefined, sql = SLOW) => {
      done.push(`${name} ${(await ask(sql, { who })).statusCode}`)
    }
    const all = [send('first', customer, SLOW.replace('30000000', '200000000'))]
    for (const [name, who] of [
      ['second of the first', customer],
      ['another', others[0]],
      ['a third', others[1]],
    ] as const) {
      // Long enough to be queued, and far shorter than the first query.
      await after(100)
      all.push(send(name, who))
    }
    await Promise.all(all)
    processors.mockRestore()
    expect(done).toEqual(['first 200', 'another 200', 'a third 200', 'second of the first 200'])
  })

  test('one person has two questions at once at most, and nobody asks without end', async () => {
    const statuses = (await Promise.all([ask(SLOW), ask(SLOW), ask(SLOW)])).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(2)
    expect(statuses).toContain(429)
    expect((await ask('x'.repeat(200_000))).statusCode).toBe(413)
  })
})
