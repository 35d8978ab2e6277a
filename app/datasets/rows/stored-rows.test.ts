import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import type { Column, RowChoice } from '#app/datasets/catalog/column.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { forgetDerived, makeDerived } from '#app/platform/storage/derived-file.server.ts'
import { eventually } from '#test/eventually.ts'
import { closeEngine, literal, queryDuckdb } from './engine.server.ts'
import { sourceOf } from './parquet-file.server.ts'
import type { WrittenVersion } from './pieces.server.ts'
import { textOfLines } from './row-lines.ts'
import { readRows } from '#test/dataset-rows.ts'
import { countRows, readWrittenPage } from './rows.server.ts'
import { sortedCopy } from './sorted-copy.server.ts'

afterEach(() => void vi.useRealTimers())
afterAll(closeEngine)

const derived = path.resolve(env.DATA_DIR, 'cache', 'rows')
const filesOf = (id: string) =>
  (existsSync(derived) ? readdirSync(derived) : []).filter((name) => name.startsWith(id) && !name.includes('.'))
const parquetOf = (id: string) => path.resolve(env.DATA_DIR, 'files/datasets', id, 'data.parquet')

const columnOf = (name: string, type: Column['type'], distinct: number): Column => {
  const profile = { description: '', fillRate: 1, min: null, max: null, histogram: null, topValues: [], masked: false }
  return { name, type, distinct, ...profile }
}

/** Every type, with equal and missing values, quotes, line feeds, characters of any length, very long texts and large numbers. */
async function keepVersion(rows: number): Promise<WrittenVersion> {
  const id = newId()
  mkdirSync(path.dirname(parquetOf(id)), { recursive: true })
  await queryDuckdb(`COPY (SELECT range AS at, 'shop ' || (range * 7919 % 500) AS shop, CASE WHEN range % 10 > 0 THEN (range * 31 % 97) / 4.0 END AS price,
    CASE range % 3 WHEN 0 THEN 'a "quoted", word' || chr(10) || chr(13) WHEN 1 THEN '' END AS note, 9007199254740993 + range AS big,
    CASE WHEN range % 400 = 7 THEN repeat('ü𝄞', 3000) ELSE chr(8232) END AS story, CASE WHEN range % 4 > 0 THEN range % 4 = 1 END AS sold,
    DATE '2026-01-01' + (range % 400)::INTEGER AS day, TIMESTAMP '2026-01-01 10:00:00.25' + to_minutes(range::INTEGER) AS seen,
    (['nan', 'inf', '-inf', NULL, '0.1']::DOUBLE[])[1 + range % 5] AS odd, (range % 700)::DECIMAL(9,2) AS fee, [range, NULL] AS tags,
    {'a': 'x' || range, 'b': CASE WHEN range % 2 = 0 THEN 'line' || chr(10) || 'feed' END} AS more
    FROM range(${rows})) TO ${literal(parquetOf(id))} (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
  const columns = [
    columnOf('at', 'integer', rows),
    columnOf('shop', 'text', 500),
    columnOf('price', 'number', 97),
    columnOf('note', 'text', 2),
    columnOf('big', 'integer', rows),
    columnOf('story', 'text', 2),
    columnOf('sold', 'boolean', 2),
    columnOf('day', 'date', 400),
    columnOf('seen', 'timestamp', rows),
    columnOf('odd', 'number', 4),
    columnOf('fee', 'number', 700),
    columnOf('tags', 'list', rows),
    columnOf('more', 'object', rows),
  ]
  return { id, rows, columns, originalBytes: rows * 50, originalFormat: 'csv' }
}

const all: RowChoice = { filters: [] }

/** The first request begins to store the rows. */
async function store(version: WrittenVersion) {
  await readRows(version, all, { limit: 1 })
  await eventually(() => expect(filesOf(version.id)).toContain(`${version.id}-rows-3`))
}

const storedOf = (version: WrittenVersion) => path.join(derived, `${version.id}-rows-3`)

/** The rows of a page while there is no Parquet file. */
async function withoutParquet<T>(version: WrittenVersion, work: () => Promise<T>): Promise<T> {
  renameSync(parquetOf(version.id), `${parquetOf(version.id)}.away`)
  try {
    return await work()
  } finally {
    renameSync(`${parquetOf(version.id)}.away`, parquetOf(version.id))
  }
}

const choices: RowChoice[] = [
  all,
  { filters: [], select: ['note', 'price'] },
  { filters: [{ column: 'shop', operator: 'eq', value: 'shop 7' }] },
  { filters: [{ column: 'shop', operator: 'in', value: 'shop 7,shop 8' }], sort: { column: 'price', descending: true } },
  { filters: [{ column: 'price', operator: 'gte', value: '3.5' }], sort: { column: 'note', descending: false } },
]

const textOf = async (version: WrittenVersion, choice: RowChoice, limit: number, cursor?: string | null) => {
  const { lines, ...page } = await readWrittenPage(version, choice, { limit, cursor })
  return { ...page, lines: textOfLines(lines) }
}

describe('happy', () => {
  test('pages of stored rows have the bytes and cursors of those from Parquet, and a cursor of either continues in the other', async () => {
    const version = await keepVersion(1234)
    const before: unknown[] = []
    for (const choice of choices) {
      const first = await textOf(version, choice, 17)
      before.push([first, first.nextCursor && (await textOf(version, choice, 230, first.nextCursor))])
    }
    await store(version)
    // Without filters, a page needs nothing else.
    await withoutParquet(version, async () => {
      for (const [at, choice] of choices.slice(0, 2).entries()) {
        const first = await textOf(version, choice, 17)
        expect([first, first.nextCursor && (await textOf(version, choice, 230, first.nextCursor))]).toEqual(before[at])
      }
    })
    for (const [at, choice] of choices.entries()) {
      const first = await textOf(version, choice, 17)
      expect([first, first.nextCursor && (await textOf(version, choice, 230, first.nextCursor))]).toEqual(before[at])
    }
  })

  test('any page of any size, up to the last row, has exactly its rows', async () => {
    const version = await keepVersion(501)
    await store(version)
    for (const limit of [1, 99, 100, 101, 250, 501, 600]) {
      const seen: unknown[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await readRows(version, all, { limit, cursor })
        expect(page.rows.length === limit || page.nextCursor === null).toBe(true)
        seen.push(...page.rows.map(({ at }) => at))
        cursor = page.nextCursor
      }
      expect(seen).toEqual(Array.from({ length: 501 }, (_, at) => at))
    }
  })

  test('a choice that is made again gets a sorted copy, which other columns extend; rows, order, cursors and counts stay the same', async () => {
    const version = await keepVersion(100_001)
    await store(version)
    const source = await sourceOf(version)
    const search = async () => {
      const pages = []
      for (const choice of choices.slice(2)) {
        const first = await textOf(version, choice, 60)
        pages.push(first, await textOf(version, choice, 60, first.nextCursor), await countRows(version, choice.filters))
      }
      return pages
    }
    const before = await search()
    await search()
    const copyOf = (choice: RowChoice) => sortedCopy(version, source, choice)
    for (const choice of choices.slice(2)) {
      await eventually(async () => expect((await copyOf(choice))?.from).toContain(`${version.id}-by-`), { interval: 200 })
    }
    expect(await search()).toEqual(before)
    expect(await copyOf({ filters: [{ column: 'shop', operator: 'starts', value: 'shop' }] })).toBeUndefined()
    await forgetDerived(version.id)
    expect(filesOf(version.id)).toEqual([])
    expect(await search()).toEqual(before)
  })

  test('a dataset without rows has an empty page', async () => {
    const version = await keepVersion(0)
    for (const choice of choices) expect(await textOf(version, choice, 10)).toEqual({ lines: '', rows: 0, nextCursor: null })
  })

  test('the files of earlier releases go once rows are stored, and sorted copies stay', async () => {
    const [version, other] = [await keepVersion(50), newId()]
    mkdirSync(derived, { recursive: true })
    const earlier = [`${version.id}-rows-2`, `${other}-rows`, `${other}-rows-2`]
    for (const name of [...earlier, `${other}-by-0123-4567`]) writeFileSync(path.join(derived, name), 'from an earlier release')
    const right = await textOf(version, all, 100)
    await store(version)
    expect([filesOf(version.id), filesOf(other)]).toEqual([[`${version.id}-rows-3`], [`${other}-by-0123-4567`]])
    await withoutParquet(version, async () => expect(await textOf(version, all, 100)).toEqual(right))
  })
})

/** From the end of the file: 19 bytes of the numbers and the name of the format, before them 12 for each of 7 blocks. */
const FOOTER = 19
const INDEX = FOOTER + 7 * 12
const flipped = (at: number) => (place: string) => {
  const bytes = readFileSync(place)
  const byte = at < 0 ? bytes.length + at : at
  writeFileSync(place, bytes.with(byte, (bytes[byte] ?? 0) ^ 1))
}
const damages: [string, (place: string) => void][] = [
  ['a bit in a block', flipped(200)],
  ['a bit in the length of a block', flipped(-INDEX - 1 - 4)],
  ['the end of the first block', flipped(-INDEX)],
  ['the end of the first block, far away', flipped(-INDEX + 7)],
  ['the end of the last block', flipped(-FOOTER - 12)],
  ['the checksum of the first block', flipped(-INDEX + 8)],
  ['the number of rows', flipped(-FOOTER)],
  ['the rows of a block', flipped(-FOOTER + 8)],
  ['the name of the format', flipped(-1)],
  ['the last byte missing', (place) => truncateSync(place, readFileSync(place).length - 1)],
  ['half of the file', (place) => truncateSync(place, Math.floor(readFileSync(place).length / 2))],
  ['an empty file', (place) => truncateSync(place, 0)],
  ['a file of something else', (place) => writeFileSync(place, 'WNROWS2\n'.repeat(1000))],
]

describe('error', () => {
  test.each(damages)('a damaged file is deleted, its rows are read from Parquet, and it is made again: %s', async (_name, damage) => {
    const version = await keepVersion(650)
    const right = await textOf(version, all, 650)
    await store(version)
    await withoutParquet(version, async () => expect(await textOf(version, all, 650)).toEqual(right))
    damage(storedOf(version))
    expect(await textOf(version, all, 650)).toEqual(right)
    expect(await textOf(version, all, 650)).toEqual(right)
    expect(filesOf(version.id)).toEqual([])
    // A damaged file is made again after ten minutes at the earliest.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    await store(version)
    await withoutParquet(version, async () => expect(await textOf(version, all, 650)).toEqual(right))
  })

  test('a file that has made room for others is missed by nobody, and is made again', async () => {
    const version = await keepVersion(300)
    const right = await textOf(version, all, 100)
    await store(version)
    expect(await textOf(version, all, 100)).toEqual(right)
    rmSync(storedOf(version))
    expect(await textOf(version, all, 100)).toEqual(right)
    await store(version)
    await withoutParquet(version, async () => expect(await textOf(version, all, 100)).toEqual(right))
  })

  test('what failed leaves nothing behind, and is not tried again at once', async () => {
    const name = `${newId()}-rows`
    const { signal } = new AbortController()
    let tries = 0
    const fail = async (unfinished: string) => {
      tries += 1
      writeFileSync(unfinished, 'half')
      throw new Error('The disk is full.')
    }
    expect([await makeDerived(name, 1, signal, fail), await makeDerived(name, 1, signal, fail), tries]).toEqual([false, false, 1])
    expect(readdirSync(derived).filter((each) => each.startsWith(name))).toEqual([])
    expect(await makeDerived(`${newId()}-rows`, 1e15, signal, fail)).toBe(false)
    expect(tries).toBe(1)
  })
})
