import { type RawBuilder, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { csvColumns, CsvExport } from './csv-export.server.ts'
import { openedDatabase } from './db.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'
import { useReplica } from './replica.server.ts'

beforeAll(openDatabase)
afterEach(() => useReplica(undefined))
afterAll(closeDatabase)

const LAST_TIME = Date.parse('2026-10-03T09:00:00Z')
const FIRST_BATCH = 2_000

/** An export of this many rows, each a millisecond older than the one before, and its queries so far. */
function exportOf(count: number, textLength = 10, bom = false) {
  const queries: RawBuilder<unknown>[] = []
  const file = new CsvExport({
    head: ['Text', 'At'],
    bom,
    rows(condition, limit) {
      const query = sql`SELECT ${csvColumns(['text'])} FROM (
          SELECT rpad(n::text, ${textLength}, '.') AS text, to_timestamp(${LAST_TIME / 1000}) - n * interval '1 millisecond' AS created_at,
            lpad(n::text, 32, '0')::uuid AS id
          FROM generate_series(1, ${count}) AS n
        ) AS made WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
      queries.push(query)
      return query
    },
  })
  return { file, queries }
}

function linesOf(count: number, textLength = 10): string {
  const line = (n: number) => `"${String(n).padEnd(textLength, '.')}","${new Date(LAST_TIME - n).toISOString()}"\r\n`
  return `"Text","At"\r\n${Array.from({ length: count }, (_, at) => line(at + 1)).join('')}`
}

test.each([0, 1, FIRST_BATCH - 1, FIRST_BATCH, FIRST_BATCH + 1, 7_000])('%i rows are in the file, in order', async (count) => {
  const { file } = exportOf(count)
  expect((await file.toArray()).join('')).toBe(linesOf(count))
})

test('rows of many bytes are all in the file', async () => {
  const { file } = exportOf(3_000, 9_000)
  expect((await file.toArray()).join('')).toBe(linesOf(3_000, 9_000))
})

test('a byte order mark comes first on request', async () => {
  expect((await exportOf(1, 10, true).file.toArray()).join('')).toBe(`\uFEFF${linesOf(1)}`)
})

test('a client that does not read holds up the queries, and receives everything when it reads on', async () => {
  const { file, queries } = exportOf(8_000, 1_000)
  file.once('readable', () => undefined)
  await vi.waitFor(() => expect(file.readableLength).toBeGreaterThan(1_000_000))
  await sleep(300)
  expect(queries).toHaveLength(1)
  expect((await file.toArray()).join('')).toBe(linesOf(8_000, 1_000))
})

test('a client that leaves ends the queries', async () => {
  const { file, queries } = exportOf(100_000, 1_000)
  for await (const _piece of file) break
  const made = queries.length
  await sleep(300)
  expect(queries.length).toBe(made)
  expect(made).toBeLessThan(5)
})

test('a query that fails ends the file with its error', async () => {
  const file = new CsvExport({ head: ['Text'], rows: () => sql`SELECT 1 / 0` })
  await expect(file.toArray()).rejects.toThrow('division by zero')
})

test('a query that fails after the client left does no harm', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  useReplica({ ...openedDatabase(), copyOut: async () => promise })
  const { file } = exportOf(1)
  file.resume()
  await sleep(0)
  file.destroy()
  reject(new Error('too late'))
  await sleep(50)
  expect(file.errored).toBeNull()
})

test('a replica that fails after some rows leaves the rest to the database', async () => {
  let served = 0
  useReplica({
    ...openedDatabase(),
    async copyOut(statement, take) {
      await openedDatabase().copyOut(statement, (row) => {
        if (served === 2_700) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
        served += 1
        take(row)
      })
    },
  })
  const { file } = exportOf(5_000)
  expect((await file.toArray()).join('')).toBe(linesOf(5_000))
  expect(served).toBe(2_700)
})
