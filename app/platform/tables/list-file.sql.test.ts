import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Tables } from '#db/tables.ts'
import { openedDatabase } from '#app/platform/database/db.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { readBehind, useReplica } from '#app/platform/database/replica.server.ts'
import { asCsv, BATCH_ROWS, createdBefore, createdColumns, type CreatedRow, inBatches, writeCsv } from './list-file.server.ts'

beforeAll(openDatabase)
afterEach(() => useReplica(undefined))
afterAll(closeDatabase)

const LAST_TIME = Date.parse('2026-10-03T09:00:00Z')

/** A list of this many rows, four of each microsecond, and how often it was read. */
function listOf(count: number) {
  const reads: number[] = []
  const batches = inBatches<CreatedRow & { text: string }>(async (last, limit) => {
    reads.push(limit)
    const { rows } = await readBehind(sql<CreatedRow & { text: string }>`SELECT text, ${createdColumns} FROM (
        SELECT n::text AS text, to_timestamp(${LAST_TIME / 1000}) - (n / 4) * interval '1 microsecond' AS created_at,
          lpad((10000000 - n)::text, 32, '0')::uuid AS id
        FROM generate_series(1, ${count}) AS n
      ) AS made WHERE ${createdBefore(last)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`)
    return rows
  })
  return { list: { columns: { Text: ({ text }: { text: string }) => text }, batches }, reads }
}

const linesOf = (count: number) => `"Text"\r\n${Array.from({ length: count }, (_, at) => `"${at + 1}"\r\n`).join('')}`

/** A replica that fails at its queries from this one on. */
function failAt(failing: number, code: string) {
  const { kysely, ...opened } = openedDatabase()
  let queries = 0
  const failingReplica: Kysely<Tables> = kysely.withPlugin({
    transformQuery({ node }) {
      queries += 1
      if (queries >= failing) throw Object.assign(new Error('terminating connection'), { code })
      return node
    },
    transformResult: async ({ result }) => result,
  })
  useReplica({ ...opened, kysely: failingReplica })
}

describe('a list', () => {
  test.each([0, 1, BATCH_ROWS - 1, BATCH_ROWS, BATCH_ROWS + 1, 3 * BATCH_ROWS + 700])(
    'of %i rows is complete and in order',
    async (count) => {
      const pieces = await Array.fromAsync(asCsv(listOf(count).list))
      expect(pieces.join('')).toBe(linesOf(count))
    },
  )

  test('nothing is read before it is wanted, and then one batch ahead of the client', async () => {
    const { list, reads } = listOf(5 * BATCH_ROWS)
    const file = asCsv(list)
    expect(reads).toHaveLength(0)
    await file.next()
    expect(reads).toHaveLength(2)
    await file.next()
    expect(reads).toHaveLength(3)
  })

  test('after the client left, the batch that was due is the last one', async () => {
    const { list, reads } = listOf(20 * BATCH_ROWS)
    const file = Readable.from(asCsv(list), { objectMode: false })
    for await (const _piece of file) break
    const before = reads.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(reads.length).toBeLessThanOrEqual(before + 1)
    expect(file.destroyed).toBe(true)
  })

  test.each([1, 2, 3])('a replica that fails at query %i leaves the rest to the database', async (failing) => {
    failAt(failing, '57P01')
    const pieces = await Array.fromAsync(asCsv(listOf(3 * BATCH_ROWS).list))
    expect(pieces.join('')).toBe(linesOf(3 * BATCH_ROWS))
  })

  test('another failure ends the file', async () => {
    failAt(2, '57014')
    await expect(Array.fromAsync(asCsv(listOf(3 * BATCH_ROWS).list))).rejects.toThrow('terminating')
  })
})

describe('cells', () => {
  test.each(['', 'two\nlines', 'ü € 🚀', "O'Hara \\ Söhne", ' =1', '0', '+49 (30) 123-45.6'])('%j stays as it is', (text) => {
    expect(writeCsv([[text]])).toBe(`"${text}"\r\n`)
  })

  test('a missing text is empty, and quotes are doubled', () => {
    expect(writeCsv([[null, 'say "rows"', undefined, '"']])).toBe('"","say ""rows""","",""""\r\n')
  })

  test.each(['=1+1', '+1+cmd', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '="a"&cmd'])('%j gets an apostrophe', (text) => {
    expect(writeCsv([[text]])).toBe(`"'${text.replaceAll('"', '""')}"\r\n`)
  })
})
