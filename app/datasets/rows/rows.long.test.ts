import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { type Column, filterOperators, type RowChoice } from '#app/datasets/catalog/column.ts'
import { queryDuckdb, closeEngine, literal } from './engine.server.ts'
import { env } from '#app/platform/env.server.ts'
import { anyChoice, chosenFrom, columnOf, keepRows, keptAs, modelColumns, modelRows } from '#test/row-model.ts'
import { readChoice } from './row-choice.ts'
import { readRows } from '#test/dataset-rows.ts'
import { countRows, writeFile, writeRows } from './rows.server.ts'

const FEW = 60
const MANY = 2500
const few = { id: 'few', columns: modelColumns, rows: FEW, originalBytes: FEW * 100, originalFormat: 'csv' as const }
const many = { ...few, id: 'many', rows: MANY }
const sizes = [
  { version: few, rows: modelRows(FEW), least: 3, most: 20, runs: 40 },
  { version: many, rows: modelRows(MANY), least: 400, most: 2000, runs: 12 },
]

beforeAll(async () => {
  for (const { version, rows } of sizes) await keepRows(version.id, rows)
})
afterAll(closeEngine)

const all: RowChoice = { filters: [] }

async function allPages(version: typeof few, choice: RowChoice, limit: number): Promise<unknown[]> {
  const rows: unknown[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await readRows(version, choice, { limit, cursor })
    expect(page.rows.length).toBe(page.nextCursor === null ? page.rows.length : limit)
    rows.push(...page.rows)
    cursor = page.nextCursor
  }
  return rows
}

/** The errors of a refusal, by field. */
const errorsOf = async (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'done',
      ({ status, extra }) => (status === 422 ? extra.errors : 'another error'),
    )

describe('happy', () => {
  test('whatever is chosen, page after page put together are exactly these rows, in order, also where many are equal or missing', async () => {
    for (const { version, rows, least, most, runs } of sizes) {
      await fc.assert(
        fc.asyncProperty(anyChoice, fc.integer({ min: least, max: most }), async (choice, limit) => {
          const expected = chosenFrom(rows, choice)
          expect(await allPages(version, choice, limit)).toEqual(expected)
          expect(await countRows(version, choice.filters)).toBe(expected.length)
        }),
        { numRuns: runs },
      )
    }
  })

  test('a query says what is wanted: some columns, conditions, an order; commas and brackets can belong to names and values', () => {
    const choice = readChoice(
      {
        select: ['n,day', 'a,b[gte]'],
        sort: '-sort',
        'n[gte]': '1',
        n: ['7', '8'],
        'sort[lt]': '1e3',
        'a,b[gte]': 'true',
        'place "x"; --[in]': 'a,"b, c"',
        'at[null]': 'false',
      },
      modelColumns,
    )
    expect(choice).toEqual({
      select: ['n', 'day', 'a,b[gte]'],
      sort: { column: 'sort', descending: true },
      filters: [
        { column: 'n', operator: 'gte', value: '1' },
        { column: 'n', operator: 'eq', value: '7' },
        { column: 'n', operator: 'eq', value: '8' },
        { column: 'sort', operator: 'lt', value: '1e3' },
        { column: 'a,b[gte]', operator: 'eq', value: 'true' },
        { column: 'place "x"; --', operator: 'in', value: 'a,"b, c"' },
        { column: 'at', operator: 'null', value: 'false' },
      ],
    })
    expect(readChoice({}, modelColumns)).toEqual({ filters: [] })
    expect(readChoice({ sort: '-x' }, [columnOf('-x', 'text')]).sort).toEqual({ column: '-x', descending: false })
  })

  test('numbers beyond all bounds and of many digits travel as text, times as ISO 8601, and one with a zone is asked for in UTC', async () => {
    const odd = await keepOdd(`SELECT unnest(['nan', 'inf', '-inf', '0.1', NULL]::DOUBLE[]) AS d, 9223372036854775807 AS h,
      12345678901234567890.12::DECIMAL(38,2) AS m, TIMESTAMP '2024-03-01 10:00:00.5' AS t, {'a': [1, NULL]} AS s, 1::UTINYINT AS file_row_nr, 0.1::FLOAT AS f,
      2::DECIMAL(5,0) AS whole`)
    const { rows } = await readRows(odd, { ...all, sort: { column: 'd', descending: false } }, { limit: 9 })
    expect(rows.map(({ d }) => d)).toEqual(['-Infinity', 0.1, 'Infinity', 'NaN', null])
    expect(rows[0]).toMatchObject({
      h: '9223372036854775807',
      m: '12345678901234567890.12',
      t: '2024-03-01T10:00:00.5',
      s: { a: [1, null] },
      f: 0.1,
    })
    expect(await allPages(odd, { ...all, sort: { column: 'd', descending: true } }, 1)).toHaveLength(5)
    // The profile of a column avoids a check of each value, and must not change one.
    const plain = { ...odd, columns: odd.columns.map((column) => (column.name === 'f' ? { ...column, min: '0.1', max: '0.1' } : column)) }
    expect(await allPages(plain, all, 2)).toEqual(await allPages(odd, all, 3))
    const at = async (value: string) => countRows(odd, [{ column: 't', operator: 'eq', value }])
    const asked = [
      '2024-03-01T10:00:00.5',
      '2024-03-01 10:00:00.500000',
      '2024-03-01T12:30:00.5+02:30',
      '2024-03-01T10:00:00.5Z',
      '2024-03-01T10:00:00.5-01:00',
    ]
    expect(await Promise.all(asked.map(at))).toEqual([5, 5, 5, 5, 0])
    const equals = async (column: string, value: string) => countRows(odd, [{ column, operator: 'eq', value }])
    expect(
      await Promise.all([
        equals('m', '12345678901234567890.12'),
        equals('f', '0.1'),
        equals('h', '-170141183460469231731687303715884105727'),
        equals('m', '0.123'),
        equals('whole', '2e0'),
        equals('whole', '1.5e0'),
        equals('whole', '1e300'),
      ]),
    ).toEqual([5, 5, 0, 0, 5, 0, 0])
  })

  test('what is written is what is read: as CSV that comes back as it was, as lines and as one array, piece by piece, filtered, sorted and as Parquet', async () => {
    const rows = modelRows(MANY)
    const whole = { ...many, originalBytes: MANY * 4000, originalFormat: 'csv' as const }
    const choices: RowChoice[] = [
      all,
      { filters: [{ column: 'n', operator: 'gte', value: '1' }], select: ['place "x"; --', 'n'] },
      { filters: [{ column: 'n', operator: 'ne', value: '7' }], sort: { column: 'sort', descending: true } },
      { filters: [{ column: 'n', operator: 'gt', value: '99999' }] },
    ]
    for (const choice of choices) {
      const expected = chosenFrom(rows, choice)
      const [json, lines] = [await textOf(writeRows(whole, choice, 'json')), await textOf(writeRows(whole, choice, 'jsonl'))]
      expect(JSON.parse(json)).toEqual(expected)
      expect(
        lines
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ).toEqual(expected)
      for (const format of ['csv-raw', 'parquet'] as const) expect(await writtenAndRead(whole, choice, format)).toEqual(expected)
    }
    const [first = ''] = (await textOf(writeRows(few, { filters: [], select: ['place "x"; --', 'day'] }, 'csv'))).split('\r\n')
    expect(first).toBe('"place ""x""; --",day')
    const formulas: RowChoice = { filters: [{ column: 'place "x"; --', operator: 'starts', value: '=' }], select: ['place "x"; --'] }
    expect(await textOf(writeRows(few, formulas, 'csv'))).toMatch(/^[^\r]*(\r\n'=1\+1)+\r\n$/)
    expect(await textOf(writeRows(few, formulas, 'csv-raw'))).toMatch(/^[^\r]*(\r\n=1\+1)+\r\n$/)
    expect(readdirSync(path.resolve(env.DATA_DIR, 'cache/spill')).filter((name) => name.endsWith('.parquet'))).toEqual([])
  })

  test('who stops taking a stream leaves nothing behind', async () => {
    const stream = writeRows({ ...many, originalBytes: MANY * 4000 }, { filters: [], sort: { column: 'n', descending: true } }, 'csv')
    await stream.next()
    await stream.return(undefined)
    expect(readdirSync(path.resolve(env.DATA_DIR, 'cache/spill')).filter((name) => name.endsWith('.parquet'))).toEqual([])
  })
})

describe('error', () => {
  const refusals: [Record<string, string | string[]>, Record<string, unknown>][] = [
    [{ select: 'n,nothing' }, { select: 'There is no column nothing' }],
    [{ sort: 'tags' }, { sort: expect.stringContaining('cannot be sorted') }],
    [{ sort: '--n' }, { sort: 'There is no column -n' }],
    [{ sort: ['n', 'day'] }, { sort: 'Sort by one column' }],
    [{ other: '1' }, { other: 'There is no column other' }],
    [{ 'n[like]': '1' }, { 'n[like]': 'There is no column n[like]' }],
    [
      { 'n[gte]': 'five', day: '2024-02-30', 'at[lt]': '2024-13-01' },
      { 'n[gte]': expect.stringContaining('whole number'), day: expect.any(String), 'at[lt]': expect.any(String) },
    ],
    [
      { n: '1.5', 'a,b[gte]': 'yes', 'sort[gt]': 'NaN' },
      { n: expect.any(String), 'a,b[gte]': 'This must be true or false', 'sort[gt]': expect.any(String) },
    ],
    [{ n: '170141183460469231731687303715884105728' }, { n: expect.any(String) }],
    [{ 'sort[in]': '1,,2' }, { 'sort[in]': expect.any(String) }],
    [{ sort: 'n', 'sort[eq]': '1e999' }, { sort: expect.any(String) }],
    [{ 'n[contains]': '1' }, { 'n[contains]': expect.stringContaining('whole numbers') }],
    [{ tags: '[]' }, { tags: expect.stringContaining('lists') }],
    [{ 'n[null]': '1' }, { 'n[null]': 'This must be true or false' }],
    [{ 'n[in]': Array.from({ length: 1001 }, () => '1').join(',') }, { 'n[in]': expect.stringContaining('1000') }],
    [{ n: Array.from({ length: 51 }, () => '1') }, { filters: expect.stringContaining('50') }],
  ]
  test('what cannot be answered is told at its field', async () => {
    for (const [query, errors] of refusals) expect(await errorsOf(() => readChoice(query, modelColumns))).toEqual(errors)
  })

  test('a cursor goes with its rows alone: not with another version, order, condition or choice of columns, and not with one that somebody made up', async () => {
    const choice: RowChoice = { filters: [{ column: 'n', operator: 'gte', value: '0' }], sort: { column: 'n', descending: false } }
    const { nextCursor: cursor } = await readRows(few, choice, { limit: 5 })
    const others: [typeof few, RowChoice][] = [
      [many, choice],
      [few, all],
      [few, { ...choice, sort: { column: 'n', descending: true } }],
      [few, { ...choice, filters: [{ column: 'n', operator: 'gt', value: '0' }] }],
      [few, { ...choice, select: ['n'] }],
    ]
    const refused = { cursor: expect.stringContaining('another version') }
    for (const [version, other] of others) expect(await errorsOf(() => readRows(version, other, { limit: 5, cursor }))).toEqual(refused)
    const made = ['', 'x', 'MQ', Buffer.from('1; DROP TABLE x.abc').toString('base64url'), 'A'.repeat(10_000), `${cursor}A`, '\0']
    for (const each of made) expect(await errorsOf(() => readRows(few, choice, { limit: 5, cursor: each }))).toEqual(refused)
    expect((await readRows(few, choice, { limit: 5, cursor })).rows).toHaveLength(5)
  })
})

describe('security', () => {
  test('SQL in names and values finds nothing and does nothing, wherever it stands and however long it is', async () => {
    const hostile = [
      `'; DROP TABLE x; --`,
      `" OR 1=1 --`,
      `n" = 1 OR "n`,
      `../../keys/master.key`,
      `$1`,
      `%`,
      String.raw`\'`,
      'a\0b',
      `${'x'.repeat(9000)}'`,
      '\u202e',
      "); COPY (SELECT 1) TO '/tmp/x' --",
    ]
    for (const text of hostile) {
      expect(await allPages(few, { filters: [{ column: 'place "x"; --', operator: 'eq', value: text }] }, 50)).toEqual([])
      for (const operator of filterOperators) {
        const query = { [`n[${operator}]`]: text, [`day[${operator}]`]: text, [text]: '1', select: text, sort: text }
        const errors = await errorsOf(() => readChoice(query, modelColumns))
        expect(Object.keys(errors ?? {}).length).toBe(5)
      }
      // A choice in the body of a download is checked in the same way.
      expect(await errorsOf(() => readRows(few, { filters: [{ column: 'n', operator: 'eq', value: text }] }, { limit: 5 }))).toHaveProperty(
        'n',
      )
      expect(await errorsOf(() => readRows(few, { filters: [], sort: { column: text, descending: true } }, { limit: 5 }))).toHaveProperty(
        'sort',
      )
      expect(await errorsOf(() => countRows(few, [{ column: text, operator: 'null', value: 'true' }]))).not.toBe('done')
    }
    expect(await errorsOf(() => readChoice({ 'place "x"; --': 'x'.repeat(10_001) }, modelColumns))).toMatchObject({
      'place "x"; --': expect.stringContaining('10,000'),
    })
  })

  test('a dataset can name its columns as it likes: no name is taken for SQL, for JSON or for what we call things', async () => {
    const names = ['row', 'json', 'place', 'value', '__proto__', 'constructor', '1', `a"b'c;--`, 'select', 'ümlaut', '$1', '{', 'x y']
    const odd = await keepOdd(`SELECT ${names.map((name, at) => `${at} AS "${name.replaceAll('"', '""')}"`).join(', ')}`, () => 'integer')
    for (const name of names) {
      const { rows } = await readRows(
        odd,
        { select: [name], sort: { column: name, descending: true }, filters: [{ column: name, operator: 'gte', value: '0' }] },
        { limit: 3 },
      )
      expect(rows.map((row) => Object.entries(row))).toEqual([[[name, names.indexOf(name)]]])
    }
    expect(new Map(Object.entries((await readRows(odd, all, { limit: 1 })).rows[0] ?? {}))).toEqual(
      new Map(names.map((name, at) => [name, at])),
    )
  })
})

const textOf = async (pieces: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(pieces)).toString()

/** Writes a file, converts it to Parquet as another version, and reads all of its rows. */
async function writtenAndRead(version: typeof many, choice: RowChoice, format: 'csv-raw' | 'parquet'): Promise<unknown[]> {
  const written = path.resolve(env.DATA_DIR, 'unfinished', `written.${format}`)
  mkdirSync(path.dirname(written), { recursive: true })
  await writeFile(version, choice, format, written)
  const columns = (choice.select ?? modelColumns.map(({ name }) => name)).flatMap(
    (name) => modelColumns.find((column) => column.name === name) ?? [],
  )
  const kept = columns.map(({ name }) => `${literal(name)}: ${literal(keptAs(name))}`).join(', ')
  const reading = `columns = {${kept}}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', allow_quoted_nulls = false`
  const from = format === 'parquet' ? `read_parquet(${literal(written)})` : `read_csv(${literal(written)}, ${reading})`
  const id = `written-${Math.random().toString(36).slice(2)}`
  const folder = path.resolve(env.DATA_DIR, 'files/datasets', id)
  mkdirSync(folder, { recursive: true })
  const [made] = await queryDuckdb(`COPY (SELECT * FROM ${from}) TO ${literal(path.join(folder, 'data.parquet'))} (FORMAT parquet)`)
  return allPages({ ...many, id, columns, rows: Number(made?.['Count']) }, all, 2000)
}

/** Stores the result of some SQL as a version. */
async function keepOdd(sql: string, typeOf?: (kept: string) => Column['type']): Promise<typeof few> {
  const id = `odd-${Math.random().toString(36).slice(2)}`
  const folder = path.resolve(env.DATA_DIR, 'files/datasets', id)
  mkdirSync(folder, { recursive: true })
  const file = literal(path.join(folder, 'data.parquet'))
  await queryDuckdb(`COPY (${sql}) TO ${file} (FORMAT parquet)`)
  const described = await queryDuckdb(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(${file}))`)
  const columns = described.map(({ column_name: name, column_type: kept }) => columnOf(String(name), (typeOf ?? usualType)(String(kept))))
  return { ...few, id, columns, rows: 1 }
}

function usualType(kept: string): Column['type'] {
  if (/^\w*INT(EGER)?$/.test(kept)) return 'integer'
  if (/DOUBLE|FLOAT|DECIMAL/.test(kept)) return 'number'
  return kept === 'TIMESTAMP' ? 'timestamp' : 'object'
}
