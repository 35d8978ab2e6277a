import { type RawBuilder, sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { csvColumns, CsvExport } from './csv-export.server.ts'
import { openedDatabase } from './db.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'
import { useReplica } from './replica.server.ts'

beforeAll(openDatabase)
afterEach(() => useReplica(undefined))
afterAll(closeDatabase)

const LAST_TIME = Date.parse('2026-10-03T09:00:00Z')
const FIRST_BATCH = 2_000

/** An export of this many rows, four of each microsecond, with its queries so far and their limits. */
function exportOf(count: number, textLength = 10, bom = false) {
  const queries: RawBuilder<unknown>[] = []
  const limits: number[] = []
  const file = new CsvExport({
    head: ['Text', 'At'],
    bom,
    queryFor(condition, limit) {
      const query = sql`SELECT ${csvColumns(['text'])} FROM (
          SELECT rpad(n::text, ${textLength}, '.') AS text, to_timestamp(${LAST_TIME / 1000}) - (n / 4) * interval '1 microsecond' AS created_at,
            lpad((10000000 - n)::text, 32, '0')::uuid AS id
          FROM generate_series(1, ${count}) AS n
        ) AS made WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT ${limit}`
      queries.push(query)
      limits.push(limit)
      return query
    },
  })
  return { file, queries, limits }
}

function linesOf(count: number, textLength = 10): string {
  const timeOf = (n: number) => new Date(LAST_TIME - Math.ceil(Math.floor(n / 4) / 1000)).toISOString()
  const line = (n: number) => `"${String(n).padEnd(textLength, '.')}","${timeOf(n)}"\r\n`
  return `"Text","At"\r\n${Array.from({ length: count }, (_, at) => line(at + 1)).join('')}`
}

/** Watches the copies of the database: how many have ended, and each row, which `onRow` can refuse. */
function watchCopies(onRow: (row: number) => void = () => undefined) {
  const copies = { ended: 0, rows: 0 }
  useReplica({
    ...openedDatabase(),
    async copyOut(statement, take) {
      const watched = (row: Buffer) => {
        onRow(copies.rows + 1)
        copies.rows += 1
        take(row)
      }
      await openedDatabase()
        .copyOut(statement, watched)
        .finally(() => (copies.ended += 1))
    },
  })
  return copies
}

test.each([0, 1, FIRST_BATCH - 1, FIRST_BATCH, FIRST_BATCH + 1, 7_000])('%i rows are in the file, in order', async (count) => {
  const { file } = exportOf(count)
  expect((await file.toArray()).join('')).toBe(linesOf(count))
})

test('rows of many bytes are all in the file, and batches are cut', async () => {
  const { file, queries } = exportOf(3_000, 9_000)
  expect((await file.toArray()).join('')).toBe(linesOf(3_000, 9_000))
  expect(queries).toHaveLength(5)
})

test('a batch has at most four times the rows of the one before', async () => {
  const { file, limits } = exportOf(15_000)
  expect((await file.toArray()).join('')).toBe(linesOf(15_000))
  expect(limits.length).toBeGreaterThan(2)
  for (const [at, limit] of limits.slice(1).entries()) expect(limit).toBeLessThanOrEqual(4 * (limits[at] ?? 0))
})

test('a byte order mark comes first on request', async () => {
  expect((await exportOf(1, 10, true).file.toArray()).join('')).toBe(`\uFEFF${linesOf(1)}`)
})

test('nothing is read before the first byte is asked for', async () => {
  const { file, queries } = exportOf(1)
  await sleep(20)
  expect(queries).toEqual([])
  expect((await file.toArray()).join('')).toBe(linesOf(1))
})

test('a client that stops reading pauses the queries, and gets everything when it continues', async () => {
  const copies = watchCopies()
  const { file, queries } = exportOf(8_000, 1_000)
  file.read(0)
  await eventually(() => expect(copies.ended).toBe(1))
  await sleep(50)
  expect(queries).toHaveLength(1)
  expect((await file.toArray()).join('')).toBe(linesOf(8_000, 1_000))
})

test('a client that asks for many bytes at once gets them', async () => {
  const { file } = exportOf(9_000, 1_000)
  let bytes = 0
  file.on('readable', () => {
    for (let piece = file.read(3_000_000); piece !== null; piece = file.read(3_000_000)) bytes += piece.length
  })
  await eventually(() => expect(bytes).toBe(linesOf(9_000, 1_000).length))
})

test('no query starts after the client left, and the rest of a batch is discarded', async () => {
  const copies = watchCopies((row) => {
    if (row === 500) file.destroy()
  })
  const { file, queries } = exportOf(100_000)
  file.resume()
  await eventually(() => expect(copies.ended).toBe(1))
  await sleep(50)
  expect([queries.length, copies.rows, file.errored]).toEqual([1, FIRST_BATCH, null])
})

test('a query that fails ends the file with its error', async () => {
  const file = new CsvExport({ head: ['Text'], queryFor: () => sql`SELECT 1 / 0` })
  await expect(file.toArray()).rejects.toThrow('division by zero')
})

// An unhandled rejection fails the run.
test('a query that fails after the client left does no harm', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  let hasBegun = false
  useReplica({
    ...openedDatabase(),
    async copyOut() {
      hasBegun = true
      await promise
    },
  })
  const { file } = exportOf(1)
  file.resume()
  await eventually(() => expect(hasBegun).toBe(true))
  file.destroy()
  reject(new Error('too late'))
  await sleep(50)
  expect(file.errored).toBeNull()
})

test.each([1, FIRST_BATCH, FIRST_BATCH + 1, 2_701])('a replica that fails at row %i leaves the rest to the database', async (failing) => {
  const copies = watchCopies((row) => {
    if (row === failing) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
  })
  const { file } = exportOf(5_000)
  expect((await file.toArray()).join('')).toBe(linesOf(5_000))
  expect(copies.rows).toBe(failing - 1)
})

test('a replica that fails after the last row of a batch, or after its cut, costs no query', async () => {
  let copies = 0
  useReplica({
    ...openedDatabase(),
    async copyOut(statement, take) {
      await openedDatabase().copyOut(statement, take)
      copies += 1
      if (copies === 1) throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    },
  })
  const { file, queries } = exportOf(2_500, 9_000)
  expect((await file.toArray()).join('')).toBe(linesOf(2_500, 9_000))
  expect([copies, queries.length]).toEqual([1, 4])
})
