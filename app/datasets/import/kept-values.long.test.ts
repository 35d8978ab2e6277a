import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import { env } from '#app/platform/env.server.ts'
import { sql } from 'kysely'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { importVersion, takeFile } from './import.server.ts'
import { readApart } from './import-worker.server.ts'
import { publishVersion } from './publish.server.ts'
import { readDataset } from './read-dataset.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const by = { id: newId() }
let customer: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  customer = await signIn()
})

const versionsOf = async (id: string) =>
  (await app.inject({ url: `/api/data-products/${id}/versions`, headers: staff.headers })).json<StaffVersion[]>()

let given = 0
type Product = { id: string; slug: string }

/** Imports a file and publishes it, if it can be read. */
async function add(
  product: Product,
  content: Buffer | string,
  ending = 'csv',
  read: typeof readApart = readDataset,
): Promise<StaffVersion | undefined> {
  const file = path.join(env.DATA_DIR, `kept-${(given += 1)}`)
  writeFileSync(file, content)
  const id = await takeFile(product.id, file, { fileName: `values.${ending}`, changes: '', by })
  await importVersion(id, { read })
  const [version] = (await app.inject({ url: `/api/data-products/${product.id}/versions`, headers: staff.headers })).json<StaffVersion[]>()
  if (version?.state === 'ready') await publishVersion(id, by, { force: true, reason: 'Of this test' })
  return version
}

const ask = (url: string) => app.inject({ url: `/api/v1/datasets/${url}`, headers: customer.headers })
const rowsOf = async ({ slug }: Product, query = '') => (await ask(`${slug}/rows${query}`)).json<{ data: Record<string, unknown>[] }>().data
const textOf = async ({ slug }: Product, query: string) => (await ask(`${slug}/rows?${query}`)).body
const query = async ({ id }: Product, sql: string) =>
  app.inject({ method: 'POST', url: `/api/data-products/${id}/query`, headers: customer.headers, payload: { sql } })

/** A Parquet file of another program. */
async function parquet(select: string): Promise<Buffer> {
  const file = path.join(env.DATA_DIR, `kept-${(given += 1)}.parquet`)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`)
  connection.closeSync()
  return readFileSync(file)
}

describe('digits', () => {
  /** Columns of one file, whose types are decided apart. */
  const texts = {
    'telephone numbers': ['+491701234567', '+15550101', '+15550102'],
    'codes with a leading zero': ['007', '12', '13'],
    'codes with an exponent': ['1E5', '2E7', '3E1'],
    'more digits than a number of the usual kind holds': ['12345678901234567.89', '0.12345678901234567890', '5.5'],
    'one number in two spellings': ['1.1', '1.10', '1.20'],
    'one number in two spellings, of which one has no point': ['1', '1.0', '2'],
    'whole numbers beyond 64 bits': ['123456789012345678901', '1', '2'],
    'zeros below zero': ['-0.00', '0.00', '0.00'],
    'digits between underscores': ['1_000', '2_000', '3_000'],
  }
  let product: Product
  let version: StaffVersion | undefined
  beforeAll(async () => {
    product = await makeProduct()
    const lines = [0, 1, 2].map((at) => [`n${at}`, ...Object.values(texts).map((values) => values[at])].join())
    version = await add(
      product,
      `name,${Object.keys(texts)
        .map((_what, at) => `value${at}`)
        .join()}\n${lines.join('\n')}\n`,
    )
  })

  test.each(Object.entries(texts).map(([what, values], at) => [what, values, `value${at}`] as const))(
    '%s stay text, as they came',
    async (_what, values, column) => {
      expect(version?.columns.find(({ name }) => name === column)?.type).toBe('text')
      expect((await rowsOf(product)).map((row) => row[column])).toEqual(values)
      expect(await textOf(product, `format=csv&raw=1&select=${column}`)).toBe([column, ...values, ''].join('\r\n'))
    },
  )

  test('prices with two decimals keep their zeros, and can be compared and added up', async () => {
    const product = await makeProduct()
    const version = await add(product, 'shop,price\nNorth,1.50\nSouth,12.00\nEast,-3.25\n')
    expect([version?.columns[1]?.type, version?.notes]).toEqual(['number', []])
    expect((await rowsOf(product, '?sort=price')).map(({ price }) => price)).toEqual(['-3.25', '1.50', '12.00'])
    expect(await textOf(product, 'format=csv&price[gte]=1.5')).toBe('shop,price\r\nNorth,1.50\r\nSouth,12.00\r\n')
    expect((await query(product, 'SELECT sum(price) AS total FROM data')).json().rows).toEqual([['10.25']])
    // A row more with other decimals: the type stays, and staff hear how the value is written.
    const next = await add(product, 'shop,price\nNorth,1.5\nSouth,1000000.00\nEast,-3.25\n')
    expect([next?.notes, next?.difference]).toEqual([
      ['Written with 2 decimals as in the version before: price.'],
      expect.objectContaining({ addedRows: 1, removedRows: 1, changedTypes: [] }),
    ])
    expect((await rowsOf(product)).map(({ price }) => price)).toEqual(['1.50', '1000000.00', '-3.25'])
  })

  test('numbers with different decimals stay numbers, and staff hear of it', async () => {
    const product = await makeProduct()
    const version = await add(product, 'price,weight\n1.5,1\n2.25,2\n3,3\n')
    expect(version?.notes).toEqual(['Stored as numbers without zeros at the end, because the number of decimals varies: price.'])
    expect(await rowsOf(product)).toEqual([
      { price: 1.5, weight: 1 },
      { price: 2.25, weight: 2 },
      { price: 3, weight: 3 },
    ])
  })

  test('the next version keeps the types of the one before where its values fit them', async () => {
    const product = await makeProduct()
    await add(product, 'phone,price,count,day,empty\n+49170,1.5,1,2026-01-01,\n+49171,2.25,2,2026-01-02,\n')
    const next = await add(product, 'phone,price,count,day,empty\n49170,1,3,2026-01-03,7\n49171,2,4,2026-01-04,8\n')
    expect(next?.columns.map(({ type }) => type)).toEqual(['text', 'number', 'integer', 'date', 'integer'])
    expect(next?.difference?.changedTypes).toEqual(['empty'])
    const other = await add(product, 'phone,price,count,day,empty\n49170,free,1.5,soon,7\n')
    expect(other?.columns.map(({ type }) => type)).toEqual(['text', 'text', 'number', 'text', 'integer'])
  })

  test('JSON keeps the digits of its numbers, also inside lists', async () => {
    const product = await makeProduct()
    await add(
      product,
      '{"a":12345678901234567.89,"b":[1.5,12345678901234567890.5],"c":1e-7,"d":9007199254740993}\n{"a":2,"b":[],"c":2.5,"d":1}\n',
      'jsonl',
    )
    const [row] = await rowsOf(product)
    expect(row).toEqual({ a: '12345678901234567.89', b: [1.5, '12345678901234567890.5'], c: 1e-7, d: '9007199254740993' })
  })

  test('Parquet keeps NaN, infinity and the short form of numbers of 32 bits; lost nanoseconds are told', async () => {
    const product = await makeProduct()
    const content = await parquet(`SELECT 0.1::FLOAT AS f, 'NaN'::DOUBLE AS d, TIMESTAMP_NS '2026-01-01 00:00:00.123456789' AS t
      UNION ALL SELECT 3.4e38::FLOAT, '-Infinity'::DOUBLE, TIMESTAMP_NS '2026-01-01 00:00:01' UNION ALL SELECT 2.5::FLOAT, 1.5, NULL`)
    const version = await add(product, content, 'parquet')
    expect(version?.notes).toEqual([
      'JSON and CSV show NaN and infinity as text: d.',
      'Times are stored in microseconds. The digits of nanoseconds are cut off: t.',
    ])
    expect(await rowsOf(product)).toEqual([
      { f: 0.1, d: 'NaN', t: '2026-01-01T00:00:00.123456' },
      { f: 3.4e38, d: '-Infinity', t: '2026-01-01T00:00:01' },
      { f: 2.5, d: 1.5, t: null },
    ])
    expect((await query(product, 'SELECT f::FLOAT AS f, [d] AS d FROM data')).json().rows).toEqual([
      [0.1, ['NaN']],
      [3.4e38, ['-Infinity']],
      [2.5, [1.5]],
    ])
  })
})

describe('times', () => {
  test('times with offsets become UTC, a mixed column is told, and a filter with a zone finds its row', async () => {
    const product = await makeProduct()
    const version = await add(
      product,
      'id,at,seen\nx,2024-06-01T12:00:00-04:00,2024-06-01 10:00:00\ny,2024-06-01T12:00:00Z,2024-06-01 10:00:00+02\nz,2024-06-01T12:00:00+0530,\n',
    )
    expect(version?.notes).toEqual([
      'Times with an offset are converted to UTC: at.',
      'Some times have a zone and others have none. Those with a zone are converted to UTC, the others are taken as UTC: seen.',
    ])
    expect(await rowsOf(product)).toEqual([
      { id: 'x', at: '2024-06-01T16:00:00', seen: '2024-06-01T10:00:00' },
      { id: 'y', at: '2024-06-01T12:00:00', seen: '2024-06-01T08:00:00' },
      { id: 'z', at: '2024-06-01T06:30:00', seen: null },
    ])
    for (const zone of ['12:00:00-04:00', '18:00:00%2B02:00', '18:00:00+02:00', '16:00:00Z', '12:00:00-0400']) {
      expect([zone, (await rowsOf(product, `?at=2024-06-01T${zone}`)).map(({ id }) => id)]).toEqual([zone, ['x']])
    }
  })

  test('times with more digits than microseconds stay text', async () => {
    const product = await makeProduct()
    const version = await add(product, 'at\n2024-06-01T12:00:00.123456789Z\n2024-06-01T12:00:00Z\n')
    expect(version?.columns[0]?.type).toBe('text')
  })
})

describe('bytes and lines', () => {
  test('UTF-8 that ends in an accent without a line break is UTF-8; a byte order mark is no part of the first name', async () => {
    const product = await makeProduct()
    const version = await add(product, '\uFEFFcity\nZürich\nOrfù')
    expect([version?.notes, await rowsOf(product)]).toEqual([[], [{ city: 'Zürich' }, { city: 'Orfù' }]])
  })

  test('values with any line separator are read in the process of the import', async () => {
    const product = await makeProduct()
    const version = await add(product, 'id,note\n1,first\u2028second\u2029third\u0085fourth\n', 'csv', readApart)
    expect([version?.state, version?.failure]).toEqual(['ready', null])
    expect(await rowsOf(product)).toEqual([{ id: 1, note: 'first\u2028second\u2029third\u0085fourth' }])
  })

  test('CRLF, LF and CR in one file end rows; those inside quotation marks stay', async () => {
    const product = await makeProduct()
    const version = await add(product, 'id,name\r\n1,Ann\n2,"Bob\r\nJunior"\r3,"a ""b""\nc"\r\n4,x,y\n5,Cy')
    expect(version?.refusals).toEqual([{ line: 7, reason: 'The row has more than 2 values' }])
    expect((await rowsOf(product)).map(({ name }) => name)).toEqual(['Ann', 'Bob\r\nJunior', 'a "b"\nc', 'Cy'])
  })

  test('empty lines before the names of the columns are no names', async () => {
    for (const end of ['\n', '\r\n']) {
      const product = await makeProduct()
      const version = await add(product, ['', '', 'a,b', '1,x', '2', '3,y', ''].join(end))
      expect([end, await rowsOf(product), version?.refusals.map(({ line }) => line)]).toEqual([
        end,
        [
          { a: 1, b: 'x' },
          { a: 3, b: 'y' },
        ],
        [5],
      ])
      const single = await makeProduct()
      await add(single, ['', 'a', '1', '2', ''].join(end))
      expect([end, await rowsOf(single)]).toEqual([end, [{ a: 1 }, { a: 2 }]])
    }
  })

  test('rejected rows are told by their lines, whatever ends a line', async () => {
    for (const end of ['\n', '\r\n']) {
      const version = await add(await makeProduct(), ['a,b', '1,"x', 'y"', '2', '3,4', '"p"q,5', '6,7', '8,9,10', ''].join(end))
      expect([end, version?.rows, version?.refusals.map(({ line }) => line)]).toEqual([end, 3, [4, 6, 8]])
      const single = await add(await makeProduct(), ['a', '', '1', '"p"q', '', '2', ''].join(end))
      expect([end, single?.rows, single?.refusals.map(({ line }) => line)]).toEqual([end, 4, [4]])
    }
  })

  test.each([
    ['name,tag a|b|c\nx,a\ny,b\n', ['name', 'tag a|b|c']],
    ['name;price, net\nx;1,5\ny;2,5\n', ['name', 'price, net']],
    ['price\n"1,5"\n"2,5"\n', ['price']],
    ['a\tb, c; d\n1\t"x,y"\n2\t"p;q"\n', ['a', 'b, c; d']],
  ])('the separator is decided over the first rows: %j', async (content, names) => {
    const product = await makeProduct()
    const version = await add(product, content)
    expect([version?.rows, version?.columns.map(({ name }) => name)]).toEqual([2, names])
  })

  test('a file of which no row can be read is refused with the reason', async () => {
    const version = await add(await makeProduct(), 'a,b\n1\n2\n')
    expect([version?.state, version?.failure]).toEqual([
      'refused',
      'No row of this file can be read. The row has fewer than 2 values. The first is line 2.',
    ])
  })

  test('half of a character refuses its row and no other', async () => {
    const product = await makeProduct()
    const version = await add(product, '[{"a":"\\ud83d"},{"a":"ok"},{"a":NaN}]', 'json')
    expect([version?.refusals.map(({ line, reason }) => [line, reason.slice(0, 40)]), await rowsOf(product)]).toEqual([
      [
        [1, 'The line contains half of a character, s'],
        [3, 'The line is not valid JSON'],
      ],
      [{ a: 'ok' }],
    ])
  })

  test('an array on one long line is read', async () => {
    const all = Array.from({ length: 60_000 }, (_, at) => ({ at, text: 'x'.repeat(80) }))
    const version = await add(await makeProduct(), JSON.stringify(all), 'json')
    expect([version?.failure, version?.rows]).toEqual([null, 60_000])
  })
})

test('a fault that no other attempt would cure is told at once', async () => {
  const product = await makeProduct()
  const file = path.join(env.DATA_DIR, 'kept-lasting')
  writeFileSync(file, `n\n${'1\n'.repeat(4242)}`)
  const versionId = await takeFile(product.id, file, { fileName: 'values.csv', changes: '', by })
  await sql`ALTER TABLE dataset_versions ADD CONSTRAINT never CHECK (rows <> 4242)`.execute(db)
  try {
    await jobOf('datasets.import').run({ versionId }, { id: '', attempt: 1, signal: new AbortController().signal })
  } finally {
    await sql`ALTER TABLE dataset_versions DROP CONSTRAINT never`.execute(db)
  }
  expect((await versionsOf(product.id))[0]).toMatchObject({
    state: 'refused',
    failure: expect.stringContaining('a fault in the import itself'),
  })
})

describe('one writer of values', () => {
  const TEXTS = ['', null, 'a "b", c', 'line\nbreak', ' ', '\u2028', 'NULL', '=1+1', '-', '0', "'"]

  test('a file that we wrote comes back as it went: empty texts, missing values, quotation marks', async () => {
    const product = await makeProduct()
    const lines = TEXTS.map((text, at) => JSON.stringify({ id: at, text, list: at % 2 ? null : [text, 1.5], price: at / 4 }))
    await add(product, `${lines.join('\n')}\n`, 'jsonl')
    const before = await rowsOf(product)
    expect(before.map(({ text }) => text)).toEqual(TEXTS)
    for (const ending of ['csv', 'jsonl', 'parquet'] as const) {
      const copy = await makeProduct()
      const raw = (await ask(`${product.slug}/rows?format=${ending}&raw=1`)).rawPayload
      await add(copy, raw, ending)
      const after = await rowsOf(copy)
      const nested = (value: unknown) => (ending === 'csv' && value !== null ? JSON.stringify(value) : value)
      expect([ending, after]).toEqual([ending, before.map((row) => ({ ...row, list: nested(row['list']) }))])
    }
  })

  test('NaN inside lists is text in the API, in files, in a selection and in SQL', async () => {
    const product = await makeProduct()
    const version = await add(
      product,
      await parquet(`SELECT 1 AS id, [1.5, 'NaN'::DOUBLE, 'Infinity'::DOUBLE, NULL] AS l, {'a': 0.1::FLOAT, 'b': ['-Infinity'::FLOAT]} AS s,
        MAP {'k': 12345678901234567.89::DECIMAL(20,2)} AS m, [9007199254740993] AS big, [TIMESTAMP '2026-01-01 10:00:00'] AS t`),
      'parquet',
    )
    expect(version?.failure).toBe(null)
    const row = {
      id: 1,
      l: [1.5, 'NaN', 'Infinity', null],
      s: { a: 0.1, b: ['-Infinity'] },
      m: { k: '12345678901234567.89' },
      big: ['9007199254740993'],
      t: ['2026-01-01T10:00:00'],
    }
    expect(await rowsOf(product)).toEqual([row])
    expect(await rowsOf(product, '?select=l')).toEqual([{ l: row.l }])
    expect(JSON.parse(await textOf(product, 'format=jsonl'))).toEqual(row)
    expect(await textOf(product, 'format=csv&select=l')).toBe('l\r\n"[1.5,""NaN"",""Infinity"",null]"\r\n')
    expect((await ask(`${product.slug}/rows?format=parquet`)).statusCode).toBe(200)
    expect((await query(product, 'SELECT l, s FROM data')).json().rows).toEqual([[row.l, row.s]])
  })
})

describe('names of columns', () => {
  const BROKEN = `id,,ID,${'x'.repeat(201)},__proto__\n1,2,3,4,5\n`

  test('all faults of a file are told at once, and staff give other names without a new upload', async () => {
    const product = await makeProduct()
    const version = await add(product, BROKEN, 'csv', readApart)
    expect([
      version?.state,
      version?.failure,
      version?.headFaults.map(({ column, suggestion }) => [column, suggestion.slice(0, 10)]),
    ]).toEqual([
      'refused',
      'Column 2 has no name. Two columns are named “ID”, the second is column 3. The name of column 4 is longer than 200 characters. A column cannot be named “__proto__”. This name is reserved.',
      [
        [2, 'column_2'],
        [3, 'ID_2'],
        [4, 'xxxxxxxxxx'],
        [5, '__proto___'],
      ],
    ])
    const names = (version?.headFaults ?? []).map(({ column, suggestion }) => ({ column, name: column === 4 ? 'note' : suggestion }))
    const url = `/api/data-products/${product.id}/versions/1/columns`
    const send = (payload: object, { headers } = staff) => app.inject({ method: 'POST', url, headers, payload })
    expect([(await send({ names }, customer)).statusCode, (await send({ names: [] })).statusCode]).toEqual([403, 422])
    // One of them is a name that another column has: it is told, and the others are kept.
    expect((await send({ names: names.with(0, { column: 2, name: 'id' }) })).statusCode).toBe(204)
    expect((await imported(product))?.headFaults).toMatchObject([
      { column: 2, fault: 'Two columns are named “id”, the second is column 2.' },
    ])
    // Both columns of a name that staff gave twice can be named again.
    expect((await send({ names: [{ column: 2, name: 'note' }] })).statusCode).toBe(204)
    expect((await imported(product))?.headFaults).toMatchObject([
      { column: 2, fault: 'Another column is named “note”, too.' },
      { column: 4, fault: 'Two columns are named “note”, the second is column 4.' },
    ])
    const last = [
      { column: 2, name: 'shop' },
      { column: 4, name: 'note' },
    ]
    expect((await send({ names: last })).statusCode).toBe(204)
    const mended = await imported(product)
    expect([mended?.state, mended?.columns.map(({ name }) => name)]).toEqual(['ready', ['id', 'shop', 'ID_2', 'note', '__proto___2']])
    expect((await send({ names })).statusCode).toBe(409)
  })

  test('a day later the file of a rejected version is gone, and staff are told to upload it again', async () => {
    const product = await makeProduct()
    const version = await add(product, BROKEN)
    await jobOf('datasets.sweep').run({ versionId: version?.id }, { id: '', attempt: 1, signal: new AbortController().signal })
    const payload = { names: [{ column: 2, name: 'b' }] }
    const reply = await app.inject({
      method: 'POST',
      url: `/api/data-products/${product.id}/versions/1/columns`,
      headers: staff.headers,
      payload,
    })
    expect([reply.statusCode, reply.json().detail ?? reply.body]).toEqual([409, expect.stringContaining('Upload it again.')])
  })

  test.each([
    ['json', '[{"a":1,"A":{"b":2}}]'],
    ['parquet', undefined],
  ])('of %s as well', async (ending, content) => {
    const product = await makeProduct()
    const version = await add(product, content ?? (await parquet('SELECT 1 AS a, 2 AS "  "')), ending)
    const column = version?.headFaults?.[0]?.column ?? 0
    await app.inject({
      method: 'POST',
      url: `/api/data-products/${product.id}/versions/1/columns`,
      headers: staff.headers,
      payload: { names: [{ column, name: 'b' }] },
    })
    expect((await imported(product))?.columns.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  /** Runs the import that waits. */
  async function imported({ id }: Product): Promise<StaffVersion | undefined> {
    const [waiting] = await versionsOf(id)
    await importVersion(waiting?.id ?? '', { read: readDataset })
    return (await versionsOf(id))[0]
  }
})

const MANY_COLUMNS = byLength(300, 2000)

describe('limits', () => {
  test('2,000 columns are imported, as the sentence promises; one column more is refused', async () => {
    const wideFile = (columns: number) => {
      const places = Array.from({ length: columns }, (_, at) => at)
      return `${places.map((at) => `c${at}`).join(',')}\n${places.join(',')}\n`
    }
    const product = await makeProduct()
    const version = await add(product, wideFile(MANY_COLUMNS), 'csv', readApart)
    expect([version?.failure, version?.columns.length]).toEqual([null, MANY_COLUMNS])
    expect((await rowsOf(product))[0]?.[`c${MANY_COLUMNS - 1}`]).toBe(MANY_COLUMNS - 1)
    const more = await add(await makeProduct(), wideFile(2001))
    expect(more?.failure).toBe('This file has 2,001 columns. The maximum is 2,000.')
  })

  test('an import that needs too much memory ends with a sentence, and others go on meanwhile', async () => {
    const large = Array.from({ length: 20_000 }, (_, at) => `${at},${'x'.repeat(1000)}${at}`).join('\n')
    const [ended, other] = await Promise.all([
      add(await makeProduct(), `id,text\n${large}\n`, 'csv', (order, report, signal) =>
        readApart(order, report, signal, { ms: 60_000, bytes: 100_000_000 }),
      ),
      add(await makeProduct(), 'a\n1\n', 'csv', readApart),
    ])
    expect(ended?.failure).toBe(
      'This file needs more memory than an import may use (0.1 GB). Split it into several files, or remove columns.',
    )
    expect(other?.state).toBe('ready')
  })

  test('decimals of more digits than can be kept are refused by name', async () => {
    const content = readFileSync(path.join(import.meta.dirname, 'decimal-60.test.parquet'))
    const version = await add(await makeProduct(), content, 'parquet')
    expect(version?.failure).toBe('The column d has decimals of 60 digits. The maximum is 38. Export it as text.')
  })
})
