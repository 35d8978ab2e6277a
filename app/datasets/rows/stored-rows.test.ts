import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Column, RowChoice } from '#app/datasets/catalog/column.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { forgetDerived, makeDerived } from '#app/platform/storage/derived-file.server.ts'
import { eventually } from '#test/eventually.ts'
import { closeEngine, literal, queryDuckdb } from './engine.server.ts'
import { sourceOf } from './parquet-file.server.ts'
import type { WrittenVersion } from './pieces.server.ts'
import { openRowFile, type RowFile, writeRowFile } from './row-file.server.ts'
import { countRows, readRows, readWrittenPage, wholeText } from './rows.server.ts'
import { sortedCopy } from './sorted-copy.server.ts'

afterAll(closeEngine)

const derived = path.resolve(env.DATA_DIR, 'cache', 'rows')
const filesOf = (id: string) =>
  (existsSync(derived) ? readdirSync(derived) : []).filter((name) => name.startsWith(id) && !name.includes('.'))
const parquetOf = (id: string) => path.resolve(env.DATA_DIR, 'files/datasets', id, 'data.parquet')

const columnOf = (name: string, type: Column['type'], distinct: number): Column => {
  const profile = { description: '', fillRate: 1, min: null, max: null, histogram: null, topValues: [], masked: false }
  return { name, type, distinct, ...profile }
}

/** Its rows are long enough for several blocks, and have equal and missing values, quotes, line feeds and large numbers. */
async function keepVersion(rows: number): Promise<WrittenVersion> {
  const id = newId()
  mkdirSync(path.dirname(parquetOf(id)), { recursive: true })
  await queryDuckdb(`COPY (SELECT range AS at, 'shop ' || (range * 7919 % 500) AS shop, CASE WHEN range % 10 > 0 THEN (range * 31 % 97) / 4.0 END AS price,
    CASE range % 3 WHEN 0 THEN 'a "quoted", word' || chr(10) || chr(13) WHEN 1 THEN '' END AS note, 9007199254740993 + range AS big
    FROM range(${rows})) TO ${literal(parquetOf(id))} (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
  const columns = [
    columnOf('at', 'integer', rows),
    columnOf('shop', 'text', 500),
    columnOf('price', 'number', 97),
    columnOf('note', 'text', 2),
    columnOf('big', 'integer', rows),
  ]
  return { id, rows, columns, originalBytes: rows * 50, originalFormat: 'csv' }
}

const all: RowChoice = { filters: [] }

/** The first request begins to store the rows. */
async function store(version: WrittenVersion) {
  await readRows(version, all, { limit: 1 })
  await eventually(() => expect(filesOf(version.id)).toContain(`${version.id}-rows-2`))
}

const choices: RowChoice[] = [
  all,
  { filters: [], select: ['note', 'price'] },
  { filters: [{ column: 'shop', operator: 'eq', value: 'shop 7' }] },
  { filters: [{ column: 'shop', operator: 'in', value: 'shop 7,shop 8' }], sort: { column: 'price', descending: true } },
  { filters: [{ column: 'price', operator: 'gte', value: '3.5' }], sort: { column: 'note', descending: false } },
]

const textOf = async (version: WrittenVersion, choice: RowChoice, limit: number, cursor?: string | null) => {
  const { json, ...page } = await readWrittenPage(version, choice, { limit, cursor })
  return { ...page, json: (await wholeText(json)).toString() }
}

describe('happy', () => {
  test('pages of stored rows have the bytes and cursors of those from Parquet, and a cursor of either continues in the other', async () => {
    const version = await keepVersion(1234)
    const before = []
    for (const choice of choices) {
      const first = await textOf(version, choice, 17)
      before.push([first, first.nextCursor && (await textOf(version, choice, 230, first.nextCursor))])
    }
    await store(version)
    // Without filters, a page needs nothing else.
    renameSync(parquetOf(version.id), `${parquetOf(version.id)}.away`)
    for (const [at, choice] of choices.slice(0, 2).entries()) {
      const first = await textOf(version, choice, 17)
      expect([first, first.nextCursor && (await textOf(version, choice, 230, first.nextCursor))]).toEqual(before[at])
    }
    renameSync(`${parquetOf(version.id)}.away`, parquetOf(version.id))
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

  test('rows can be read while later ones are being written', async () => {
    const file = path.join(env.DATA_DIR, newId())
    let growing: RowFile | undefined
    const seen: unknown[] = []
    const look = async () => seen.push([growing?.rows, growing?.rows ? String(await (await growing.read(1, growing.rows)).whole()) : ''])
    const blocks = async function* () {
      await look()
      yield '{"a":1},\n{"a":2}'
      await look()
      yield '{"a":3},\n{"a":4}'
      await look()
      yield '{"a":5}'
    }
    await writeRowFile(file, { blockRows: 2, rows: 5 }, blocks(), (begun) => (growing = begun))
    expect(seen).toEqual([
      [0, ''],
      [2, '{"a":2}'],
      [4, '{"a":2},\n{"a":3},\n{"a":4}'],
    ])
    const finished = await openRowFile(file)
    expect([finished.rows, String(await (await finished.read(0, 5)).whole()), (await finished.pick([4, 0, 2])).toString()]).toEqual([
      5,
      '{"a":1},\n{"a":2},\n{"a":3},\n{"a":4},\n{"a":5}',
      '{"a":5},\n{"a":1},\n{"a":3}',
    ])
  })
})

describe('error', () => {
  test('a damaged file is deleted, and its rows are read from Parquet', async () => {
    const version = await keepVersion(300)
    const right = await textOf(version, all, 100)
    await store(version)
    await eventually(async () => expect(await textOf(version, all, 100)).toEqual(right))
    const file = path.join(derived, `${version.id}-rows-2`)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.with(200, (bytes[200] ?? 0) ^ 255))
    expect(await textOf(version, all, 100)).toEqual(right)
    expect(filesOf(version.id)).toEqual([])
  })

  test('a file that has made room for others is missed by nobody, and is made again', async () => {
    const version = await keepVersion(300)
    const right = await textOf(version, all, 100)
    await store(version)
    await eventually(async () => expect(await textOf(version, all, 100)).toEqual(right))
    rmSync(path.join(derived, `${version.id}-rows-2`))
    // Until nothing has been read for two seconds, the file is still open.
    const isMadeAgain = async () => {
      expect(await textOf(version, all, 100)).toEqual(right)
      expect(filesOf(version.id)).toContain(`${version.id}-rows-2`)
    }
    await eventually(isMadeAgain, { interval: 2500 })
    expect(await textOf(version, all, 100)).toEqual(right)
  })

  test('half a file is none, and a file with too few rows is not finished', async () => {
    const file = path.join(env.DATA_DIR, newId())
    const two = async function* () {
      yield '{"a":1}'
      yield '{"a":2}'
    }
    await writeRowFile(file, { blockRows: 1, rows: 2 }, two(), () => undefined)
    copyFileSync(file, `${file}-half`)
    writeFileSync(`${file}-half`, readFileSync(file).subarray(0, 60))
    await expect(openRowFile(`${file}-half`)).rejects.toThrow('no file of rows')
    await expect(writeRowFile(`${file}-few`, { blockRows: 1, rows: 3 }, two(), () => undefined)).rejects.toThrow('not complete')
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
