import { DuckDBInstance } from '@duckdb/node-api'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { closeAdminSocket, openAdminSocket } from '#app/ops/running.server.ts'
import { readDataset } from './read-dataset.server.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { ATTEMPTS } from '#app/platform/jobs.server.ts'
import { closeSignals, onSignal, openSignals } from '#app/platform/database/signals.server.ts'
import { removeFile } from '#app/platform/storage/storage.server.ts'
import { startEndpoints } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import { importVersion, takeFile } from './import.server.ts'
import { runDatasetCommand, sendDatasetCommand } from './operator.server.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
await openSignals()
afterAll(closeSignals)
const staff = await signIn('staff')
const customer = await signIn('customer')

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
const ask = (method: Method, url: string, payload?: object, headers: Record<string, string> = staff.headers) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const versionsOf = async (id: string) => (await ask('GET', `/api/data-products/${id}/versions`)).json<StaffVersion[]>()
const unfinished = () => readdirSync(path.join(env.DATA_DIR, 'unfinished'))
const run = async (kind: string, payload: object, attempt = 1) =>
  jobOf(kind).run(payload, { id: '', attempt, signal: new AbortController().signal })

let given = 0
/** Imports a file as an upload leaves it, in this process by default. */
async function take(
  productId: string,
  content: Buffer | string,
  fileName = 'prices.csv',
  reading: Parameters<typeof importVersion>[1] = { read: readDataset },
) {
  const file = path.join(env.DATA_DIR, `given-${(given += 1)}`)
  writeFileSync(file, content)
  const id = await takeFile(productId, file, { fileName, changes: '', by: staff.user })
  await importVersion(id, reading)
  const [version] = await versionsOf(productId)
  return version
}

/** A Parquet file of another program. */
async function written(select: string, rowGroup: number): Promise<Buffer> {
  const file = path.join(env.DATA_DIR, `given-${(given += 1)}.parquet`)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroup})`)
  connection.closeSync()
  instance.closeSync()
  return readFileSync(file)
}

/** Two constant columns whose footer claims another number of rows. Both numbers take four bytes there. */
async function claimed(rows = 100_000_000): Promise<Buffer> {
  const real = 1_100_000
  const file = await written(`SELECT 1 AS n, 'north' AS shop FROM range(${real})`, real)
  const end = file.length - 8 - file.readUInt32LE(file.length - 8)
  return Buffer.concat([
    file.subarray(0, end),
    Buffer.from(file.subarray(end).toString('latin1').replaceAll(thrift(real), thrift(rows)), 'latin1'),
  ])
}

/** An integer in the Parquet footer's encoding: seven bits per byte, the sign in the last bit. */
function thrift(number: number): string {
  const bytes = []
  for (let left = number * 2; left > 0; left = Math.floor(left / 128)) bytes.push((left % 128) + (left >= 128 ? 128 : 0))
  return Buffer.from(bytes).toString('latin1')
}

const body = { slug: 'wine', name: 'Wine', description: 'Prices of wine.', category: 'Retail', price: 1999 }

describe('happy', () => {
  test('a product is made, changed, ordered and removed by staff; others see it in the list while it is published', async () => {
    const made = await ask('POST', '/api/data-products', { ...body, hidden: false })
    expect([made.statusCode, made.headers.etag, made.json()]).toEqual([
      201,
      '"1"',
      expect.objectContaining({ price: 1999, isFree: false, rows: 0, currentVersion: null }),
    ])
    const { id } = made.json<{ id: string }>()
    const other = await makeProduct({ hidden: true })
    const heard: unknown[] = []
    const deaf = onSignal('datasets.changed', (word) => heard.push(word))
    const changed = await ask(
      'PUT',
      `/api/data-products/${id}`,
      { ...body, hidden: false, price: 0, isFree: true },
      { ...staff.headers, 'if-match': '"1"' },
    )
    expect([changed.statusCode, changed.json()]).toEqual([200, expect.objectContaining({ version: 2, isFree: true })])
    expect((await ask('PATCH', '/api/data-products/order', { ids: [other.id, id] })).statusCode).toBe(204)
    const all = (await ask('GET', '/api/admin/data-products')).json<{ id: string }[]>()
    expect(all.map((each) => each.id)).toEqual([other.id, id])
    const catalog = (await ask('GET', '/api/data-products', undefined, {})).json<object[]>()
    expect(catalog).toEqual([expect.objectContaining({ id, access: 'signIn', sampleData: null, updatedAt: null })])
    expect(catalog[0]).not.toHaveProperty('downloadUrl')
    expect((await ask('DELETE', `/api/data-products/${id}`)).statusCode).toBe(204)
    // On PostgreSQL, the notification of the creation may still arrive.
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(3))
    deaf()
    expect((await ask('GET', `/api/data-products/${id}`)).statusCode).toBe(404)
    // Its slug is free again.
    expect((await ask('POST', '/api/data-products', body)).statusCode).toBe(201)
    const events = await db.selectFrom('auditEvents').select('action').where('actorId', '=', staff.user.id).orderBy('id').execute()
    expect(events.map(({ action }) => action)).toEqual(['product_created', 'product_changed', 'product_removed', 'product_created'])
  })

  test('a version is published with its sample; a second one tells how it differs, and can be taken back', async () => {
    const product = await makeProduct({ maskedColumns: ['buyer'], columnDescriptions: JSON.stringify({ price: 'In euros' }) })
    await makeDataset(product, 'shop,price,buyer\nNorth,1.5,Ada\nSouth,2,\n')
    const rows = [
      { shop: 'North', price: 1.5, buyer: '•••' },
      { shop: 'South', price: 2, buyer: null },
    ]
    expect((await ask('GET', `/api/data-products/${product.slug}`, undefined, {})).json()).toMatchObject({
      rows: 2,
      access: 'signIn',
      downloadUrl: `/api/data-products/${product.id}/download`,
      apiEndpoint: `/api/v1/datasets/${product.slug}/rows`,
      sampleData: JSON.stringify(rows),
      columns: [
        { name: 'shop', type: 'text', fillRate: 1 },
        { name: 'price', type: 'number', description: 'In euros', min: '1.5', max: '2.0' },
        { name: 'buyer', type: 'text', fillRate: 0.5, masked: true, min: null, max: null, topValues: [] },
      ],
      files: [
        { format: 'original', sha256: expect.stringMatching(/^[\da-f]{64}$/) },
        { format: 'csv', sha256: null },
        { format: 'csv-raw', name: `${product.slug}-v1-raw.csv` },
        { format: 'json', bytes: null },
        { format: 'jsonl' },
        { format: 'parquet', name: `${product.slug}-v1.parquet`, sha256: expect.stringMatching(/^[\da-f]{64}$/) },
        { format: 'xlsx', name: `${product.slug}-v1.xlsx`, sha256: null },
      ],
      versions: [{ number: 1, rows: 2, isCurrent: true, difference: null }],
    })

    await makeDataset(product, 'shop,price,buyer\nNorth,1.5,Ada\nEast,3,Bo\nWest,4,Cy\n', { changes: 'Two shops more' })
    expect((await ask('GET', `/api/data-products/${product.id}`)).json()).toMatchObject({
      rows: 3,
      access: 'granted',
      versions: [{ number: 2, changes: 'Two shops more', difference: { previous: 1, addedRows: 2, removedRows: 1 } }, { number: 1 }],
    })
    expect((await ask('POST', `/api/data-products/${product.id}/versions/1/current`)).statusCode).toBe(204)
    const back = { rows: 2, sampleData: JSON.stringify(rows), versions: [{ isCurrent: false }, { isCurrent: true }] }
    expect((await ask('GET', `/api/data-products/${product.id}`)).json()).toMatchObject(back)

    // Masking and descriptions apply immediately, also to earlier imports.
    const { slug, name, description, category, version } = product
    const said = {
      slug,
      name,
      description,
      category,
      price: 0,
      hidden: false,
      maskedColumns: ['shop'],
      columnDescriptions: { buyer: 'Who buys' },
    }
    expect((await ask('PUT', `/api/data-products/${product.id}`, said, { ...staff.headers, 'if-match': `"${version}"` })).statusCode).toBe(
      200,
    )
    expect((await ask('GET', `/api/data-products/${product.id}`)).json()).toMatchObject({
      sampleData: JSON.stringify([
        { shop: '•••', price: 1.5, buyer: 'Ada' },
        { shop: '•••', price: 2, buyer: null },
      ]),
      columns: [{ masked: true, topValues: [] }, { description: '' }, { masked: false, description: 'Who buys' }],
    })
  })

  test('a file is read in a process of its own: types by all values, rows that do not fit told by line, bars, commonest values', async () => {
    const { id } = await makeProduct()
    const rows = Array.from(
      { length: 400 },
      (_, at) =>
        `${at},"shop ${at % 4}",${at / 4},2026-01-${String((at % 28) + 1).padStart(2, '0')},0${at},${at % 2 === 0},2026-01-01T10:00:00Z,=1+1`,
    )
    rows[1] = '1,"two\nlines",0.25,2026-01-02,01,false,2026-01-01T10:00:00Z,'
    rows[4] = 'four,shop,1,2026-01-05,04,true,2026-01-01T10:00:00Z,'
    rows[6] = '6,shop'
    rows[9] = '9,shop,1,2026-02-30,09,true,2026-01-01T10:00:00Z,'
    const version = await take(id, `id,shop,price,day,code,open,seen,note\n${rows.join('\n')}\n`, 'prices.csv', {})
    expect(version).toMatchObject({
      state: 'ready',
      rows: 397,
      refusedRows: 3,
      refusals: [
        { line: 7, reason: 'id: “four” is not a whole number' },
        { line: 9, reason: 'The row has fewer than 8 values' },
        { line: 12, reason: 'day: “2026-02-30” is not a date such as 2026-01-31' },
      ],
      notes: [expect.stringMatching(/the number of decimals varies: price\.$/), expect.stringMatching(/^\d+ cells look like formulas/)],
      findings: [{ ok: true }, { ok: true, found: '0.75%' }],
    })
    expect(version?.columns.map(({ type }) => type)).toEqual(['integer', 'text', 'number', 'date', 'text', 'boolean', 'timestamp', 'text'])
    const [first, shop] = version?.columns ?? []
    expect(first?.histogram?.reduce((sum, { count }) => sum + count, 0)).toBe(397)
    expect(first?.histogram).toHaveLength(20)
    expect(shop?.topValues[0]).toEqual({ value: 'shop 3', count: 100 })
    expect(unfinished()).toEqual([])
  })

  test.each([
    ['json', '[{"n":1,"tags":["a"],"at":{"x":1},"code":"007"},{"n":2.5,"code":"1"}]', ['number', 'list', 'object', 'text'], 2],
    ['jsonl', '{"n":1,"big":12345678901234567890}\n\n{"n":9007199254740993}\n', ['integer', 'text'], 2],
    ['csv', Buffer.from('\uFEFFn;wörter\n1;ä\n', 'utf16le'), ['integer', 'text'], 1],
    ['csv', Buffer.from('n\tw\u00f6rter\n1\t\u00e4\n', 'latin1'), ['integer', 'text'], 1],
    ['csv', '\uFEFFn|x\r\n1|2026-01-01\r\n', ['integer', 'date'], 1],
  ])('%s: %j', async (ending, content, types, rows) => {
    const version = await take((await makeProduct()).id, content, `prices.${ending}`)
    expect([version?.failure, version?.rows, version?.columns.map(({ type }) => type)]).toEqual([null, rows, types])
  })

  test('columns in the forms of a country are proposed or asked about, read as staff say, and the next file in the same way', async () => {
    const { id } = await makeProduct()
    const read = async (number: number, readings: unknown) => {
      const { statusCode, body: said } = await ask('POST', `/api/data-products/${id}/versions/${number}/readings`, { readings })
      if (statusCode !== 204) return said
      const [version] = await versionsOf(id)
      await importVersion(version?.id ?? '', { read: readDataset })
      return (await versionsOf(id))[0]
    }
    const file = (day: (at: number) => string, last: string) => {
      const rows = Array.from(
        { length: 200 },
        (_, at) => `${at % 9}.${100 + at},50;${day(at)};${at % 2 ? 'ja' : 'nein'};0${at};1.${200 + at};${at}`,
      )
      return `preis;tag;aktiv;plz;menge;nr\n${rows.join('\n').replaceAll(/^0\./gm, '')}\n${last}\n`
    }
    const version = await take(
      id,
      file((at) => `0${(at % 9) + 1}/11/2026`, 'n/a;01/11/2026;ja;01;1.500;3'),
    )
    expect(version?.columns.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'number', 'integer'])
    expect(
      version?.columnOffers.map(({ column, state, text, readings }) => [
        column,
        state,
        text,
        ...readings.map((each) => Object.values(each)),
      ]),
    ).toEqual([
      ['preis', 'proposed', '1.101,50', ['decimal_comma', '1,101.50', 201, 1, ['n/a']]],
      ['tag', 'open', '01/11/2026', ['day_first', 'November 1, 2026', 201, 0, []], ['month_first', 'January 11, 2026', 201, 0, []]],
      ['aktiv', 'proposed', 'ja', ['yes_no', 'Yes', 201, 0, []]],
      ['menge', 'open', '1.200', ['decimal_comma', '1,200', 201, 0, []], ['decimal_point', '1.200', 201, 0, []]],
    ])
    expect(await read(1, [{ column: 'none', reading: 'text' }])).toContain('There is no column “none”.')
    expect(await read(1, [{ column: 'preis', reading: 'roman' }])).toContain('A reading is text')
    const chosen = { preis: 'decimal_comma', tag: 'day_first', aktiv: 'yes_no', menge: 'decimal_comma', nr: 'text' }
    const list = Object.entries(chosen).map(([column, reading]) => ({ column, reading }))
    expect(await read(1, list)).toMatchObject({
      state: 'ready',
      rows: 200,
      refusals: [{ line: 202, reason: 'preis: “n/a” is not a number' }],
      columnReadings: chosen,
      columns: [
        { type: 'number', max: '8297.50' },
        { type: 'date', min: '2026-11-01' },
        { type: 'boolean' },
        { type: 'text' },
        { type: 'integer' },
        { type: 'text' },
      ],
    })

    // The next file is read without a question, and told where it no longer fits.
    const next = await take(
      id,
      file((at) => `${(at % 9) + 13}. Nov 2026 14:30`, '7,25;13. Nov 2026 15:00;nein;02;2.000;4'),
    )
    expect([next?.columns.map(({ type }) => type), next?.columnReadings, next?.notes]).toEqual([
      ['number', 'timestamp', 'boolean', 'text', 'integer', 'text'],
      chosen,
      [],
    ])
    const english = await take(id, 'preis;tag;aktiv;plz;menge;nr\n1.50;2026-11-05;ja;007;1;1\n2.75;2026-11-06;nein;008;2;2\n')
    expect(english?.notes).toEqual([
      'The values no longer fit the reading that was chosen for the version before, so it is not used: preis.',
    ])
    expect(english?.columns.map(({ type }) => type)).toEqual(['number', 'date', 'boolean', 'text', 'integer', 'text'])
    expect(english?.columnReadings).toEqual({ tag: 'day_first', aktiv: 'yes_no', menge: 'decimal_comma', nr: 'text' })
    const taken = await read(3, [{ column: 'aktiv', reading: null }])
    expect(typeof taken === 'object' && taken.columns[2]?.type).toBe('text')
  })

  test.each([
    ['amounts of a bank with grouped digits', 'n\n"43,774.58"\n"7,660.55"\n', 'proposed', 0],
    ['two decimal signs in one column', 'n\n"1.234,50"\n"1,234.50"\n"2.234,50"\n', 'possible', 1],
    ['one day that no calendar has', `n\n${'31.12.2025\n'.repeat(150)}31.02.2025\n`, 'proposed', 1],
    ['codes and one number', 'n\n007\n+49\n1E5\n1,5\n', 'possible', 3],
    ['values in Latin-1', Buffer.from('n;name\n1\xa0234,50;M\xfcller\n2\xa0000,25;Gr\xf6\xdfe\n', 'latin1'), 'proposed', 0],
    ['UTF-16 with tabs', Buffer.from('\uFEFFn\tname\n1.234,50\tä\n', 'utf16le'), 'proposed', 0],
  ])('%s: the column stays text, and it is told what each reading would leave out', async (_what, content, state, misfits) => {
    const version = await take((await makeProduct()).id, content)
    expect(version?.columns[0]?.type).toBe('text')
    const [offer] = version?.columnOffers ?? []
    expect([offer?.column, offer?.state, offer?.readings[0]?.misfits]).toEqual(['n', state, misfits])
  })

  test('the operator adds a file from the command line, while the product runs', async () => {
    const { slug, id } = await makeProduct()
    const file = path.join(env.DATA_DIR, 'mine.csv')
    writeFileSync(file, 'n\n1\n2\n')
    // On PostgreSQL, the command has its own database connection.
    const obey = env.DATABASE_URL ? runDatasetCommand : sendDatasetCommand
    await openAdminSocket(env.DATA_DIR, { dataset: runDatasetCommand })
    const order = { verb: 'add', file, product: slug, changes: 'New', publish: true } as const
    const waiting = await makeProduct()
    expect(await obey({ verb: 'list' })).toContain(`${waiting.slug}: no data yet`)
    await obey({ ...order, product: waiting.slug, publish: false })
    expect(await obey({ verb: 'list' })).toContain(`${waiting.slug}: nothing published, a version is ready`)
    expect(await obey(order)).toBe(`Version 1 of ${slug} has 2 rows in 1 column. It is published.`)
    expect(await obey({ verb: 'list' })).toContain(`${slug}: version 1, 2 rows`)
    writeFileSync(file, 'n\n3\n')
    await expect(obey(order)).rejects.toThrow(
      `Version 2 of ${slug} has 1 row in 1 column. It is held and customers keep the version that they have. This version does not pass the quality checks: More than half as many rows as version 1 (1 row; version 1 has 2). Publish it with a reason at ${env.SITE_URL}/admin/products?product=${id}`,
    )
    expect(await obey({ verb: 'list' })).toContain(`${slug}: version 1, 2 rows`)
    await expect(obey({ ...order, file: '/never/there.csv' })).rejects.toThrow('/never/there.csv cannot be read.')
    await expect(obey({ ...order, product: 'nothing' })).rejects.toThrow('There is no product nothing')
    closeAdminSocket(env.DATA_DIR)
    expect(existsSync(file)).toBe(true)
    const states = (await versionsOf(id)).map(({ number, changes, state }) => [number, changes, state])
    expect(states).toEqual([
      [2, 'New', 'ready'],
      [1, 'New', 'published'],
    ])
  })

  test('brackets in a text are no nesting; a row that is nested too deeply is rejected', async () => {
    const product = await makeProduct()
    const art = '[{'.repeat(60)
    const deep = `${'{"a":['.repeat(60)}${']}'.repeat(60)}`
    const lines = [{ shop: art }, { shop: `"${art}` }, { shop: 'North' }].map((row) => JSON.stringify(row))
    const version = await take(product.id, [...lines, deep].join('\n'), 'prices.jsonl')
    expect(version).toMatchObject({ state: 'ready', rows: 3, refusedRows: 1 })
    expect(version?.refusals).toEqual([{ line: 4, reason: 'The line is nested too deeply' }])
    expect(version?.preview.map(({ shop }) => shop)).toEqual([art, `"${art}`, 'North'])
  })

  test('a file that was read while its product was removed is a version after the undo', async () => {
    const product = await makeProduct()
    const file = path.join(env.DATA_DIR, `given-${(given += 1)}`)
    writeFileSync(file, 'shop,price\nNorth,1.50\n')
    const id = await takeFile(product.id, file, { fileName: 'prices.csv', changes: '', by: staff.user })
    await importVersion(id, {
      async read(order) {
        expect((await ask('DELETE', `/api/data-products/${product.id}`)).statusCode).toBe(204)
        return readDataset(order)
      },
    })
    expect((await ask('POST', `/api/data-products/${product.id}/restore`)).statusCode).toBe(200)
    expect(await versionsOf(product.id)).toMatchObject([{ number: 1, state: 'ready', rows: 1 }])
  })
})

describe('error', () => {
  test('what breaks a rule of the gate is published only when staff say so, and that is noted', async () => {
    const gate = { leastRows: 3, mostRefused: 0, leastFill: { price: 0.9, never: 0.1 }, unique: ['shop', 'shop, price'], mostLoss: 0.1 }
    const { id } = await makeProduct({ gate: JSON.stringify(gate) })
    await makeDataset({ id }, `shop,price\n${Array.from({ length: 10 }, (_, at) => `S${at},1\n`).join('')}`)
    const version = await take(id, 'shop,price\nA,1\nA,\n')
    expect(version?.findings.map(({ found, ok }) => [found, ok])).toEqual([
      ['2', false],
      ['0%', true],
      ['No such column', false],
      ['50%', false],
      ['1 duplicate row', false],
      ['0 duplicate rows', true],
      ['80% fewer', false],
    ])
    const refused = await ask('POST', `/api/data-products/${id}/versions/2/publish`, {})
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'gate_failed', problems: expect.any(Array) }),
    ])
    expect(
      (await ask('POST', `/api/data-products/${id}/versions/2/publish`, { force: true, reason: 'The shops have closed.' })).statusCode,
    ).toBe(204)
    const [event] = await db
      .selectFrom('auditEvents')
      .select('detail')
      .where('action', '=', 'dataset_published')
      .where('actorId', '=', staff.user.id)
      .execute()
    expect(event?.detail).toMatchObject({ number: 2, forced: expect.arrayContaining(['At least 3 rows']) })
  })

  test('a version that nobody had goes with its files; one that was published stays; what was cut off is read again from the start', async () => {
    const product = await makeProduct()
    const published = await makeDataset(product, 'n\n1\n')
    const versions = `/api/data-products/${product.id}/versions`
    const kept = await ask('DELETE', `${versions}/1`)
    expect([kept.statusCode, kept.json()]).toMatchObject([409, { code: 'published' }])
    const cut = new AbortController()
    cut.abort()
    await expect(take(product.id, 'n\n1\n2\n', 'prices.csv', { signal: cut.signal })).rejects.toThrow('interrupted')
    const [waiting] = await versionsOf(product.id)
    expect(waiting).toMatchObject({ number: 2, state: 'processing' })
    expect((await ask('POST', `${versions}/2/publish`, {})).json()).toMatchObject({ status: 409, code: 'not_ready' })
    expect((await ask('POST', `${versions}/2/current`)).json()).toMatchObject({ status: 409, code: 'not_published' })
    await importVersion(waiting?.id ?? '', { read: readDataset })
    expect((await versionsOf(product.id))[0]).toMatchObject({ state: 'ready', rows: 2, difference: { addedRows: 1, removedRows: 0 } })
    expect((await ask('DELETE', `${versions}/2`)).statusCode).toBe(204)
    const folder = (id: string) => path.join(env.DATA_DIR, 'files/datasets', id)
    expect(readdirSync(folder(waiting?.id ?? '')).toSorted()).toEqual(['data.parquet', 'original.csv'])
    for (const versionId of [waiting?.id, published.id]) await run('datasets.sweep', { versionId })
    expect([readdirSync(folder(waiting?.id ?? '')), readdirSync(folder(published.id)).toSorted()]).toEqual([
      [],
      ['data.parquet', 'original.csv'],
    ])
    await ask('DELETE', `/api/data-products/${product.id}`)
    await run('datasets.sweep', { versionId: published.id })
    // It can be restored for a month.
    expect(readdirSync(folder(published.id)).toSorted()).toEqual(['data.parquet', 'original.csv'])
    const monthAgo = new Date(Date.now() - 31 * 86_400_000)
    await db.updateTable('dataProducts').set({ removedAt: monthAgo }).where('id', '=', product.id).execute()
    await run('datasets.erase', { productId: product.id })
    await run('datasets.sweep', { versionId: published.id })
    expect(readdirSync(folder(published.id))).toEqual([])
    expect(unfinished()).toEqual([])
  })

  test.each([
    ['prices.csv', '', 'empty'],
    ['prices.csv', Buffer.concat([Buffer.from('PK\u0003\u0004'), deflateRawSync(Buffer.alloc(1_000_000))]), 'Excel workbook'],
    ['prices.csv', gzipSync('a,b\n1,2\n'), 'gzip'],
    ['prices.csv', '<!DOCTYPE html><html>', 'web page'],
    ['prices.csv', 'PAR1', 'Parquet file'],
    ['prices.csv', 'a,b\n1,\0\n', 'NUL'],
    ['prices.csv', 'a,b\n1,"x\n2,y\n3,z\n', 'opens in line 2 is not closed'],
    ['prices.csv', 'a,A\n1,2\n', 'Two columns are named'],
    ['prices.csv', '__proto__,b\n1,2\n', 'cannot be named “__proto__”'],
    ['prices.csv', 'a,,b\n1,2,3\n', 'Column 2 has no name'],
    ['prices.csv', `${Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')}\n1\n`, '10,000 columns'],
    ['prices.csv', `a,b\n1,${'x'.repeat(5 * 1024 ** 2)}\n`, 'longer than 4 MB'],
    ['prices.csv', Buffer.from('\uFEFFa\n\uD800\n', 'utf16le'), 'encoding of this file is invalid'],
    ['prices.json', '{"a":1}', 'not a JSON array of objects'],
    ['prices.json', '[{"a":1},', 'not a JSON array of objects'],
    ['prices.json', '[1,2]', 'This file has no object'],
    ['prices.jsonl', 'no\njson\n', 'This file has no object'],
    ['prices.jsonl', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`, 'This file has no object'],
    ['prices.parquet', 'a,b\n1,2\n', 'not a Parquet file'],
    ['prices.parquet', `PAR1${'x'.repeat(1000)}PAR1`, 'damaged'],
  ])('%s is refused, and nothing of it is left: %#', async (name, content, sentence) => {
    const version = await take((await makeProduct()).id, content, name)
    expect([version?.state, version?.failure]).toEqual(['refused', expect.stringContaining(sentence)])
    expect(unfinished()).toEqual([])
    const files = path.join(env.DATA_DIR, 'files/datasets', version?.id ?? '')
    expect(readdirSync(files)).toHaveLength(1)
    await run('datasets.sweep', { versionId: version?.id })
    expect(readdirSync(files)).toEqual([])
  })

  test.each([
    ['a few kilobytes of Parquet that claim 100,000,000 rows', claimed, '100,000,000 rows of 2 columns in'],
    [
      'Parquet with a true row count, of one value repeated',
      async () => written('SELECT 1 AS n FROM range(10300000)', 10_300_000),
      '10,300,000 rows of 1',
    ],
    [
      'Parquet that repeats one long text',
      async () => written(`SELECT repeat('x', 20000) AS t FROM range(14000)`, 2048),
      'to 280,000,000 bytes',
    ],
    ['lists that repeat one value', async () => written('SELECT range(2000) AS list FROM range(20000)', 20_480), '40,000,000 rows of 1'],
  ])('%s are refused before any row is written', async (_name, make, sentence) => {
    const version = await take((await makeProduct()).id, await make(), 'prices.parquet')
    expect([version?.state, version?.failure]).toEqual(['refused', expect.stringContaining(sentence)])
    expect(unfinished()).toEqual([])
  })

  test('Parquet whose end claims more rows than it has is damaged', async () => {
    const version = await take((await makeProduct()).id, await claimed(2_000_000), 'prices.parquet')
    expect([version?.state, version?.failure]).toEqual(['refused', expect.stringContaining('damaged')])
  })

  test('JSON whose few values would become many empty ones is refused', async () => {
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`c${at}`, 1])))
    const version = await take((await makeProduct()).id, `${wide}\n${'{"c1":1}\n'.repeat(16000)}`, 'prices.jsonl')
    expect([version?.state, version?.failure]).toEqual(['refused', expect.stringContaining('16,001 rows of 2,000 columns')])
  })

  test('a slug that is taken, a price that disagrees, a change of what has changed, and an order of another list are refused', async () => {
    const { id, slug } = await makeProduct()
    const taken = await ask('POST', '/api/data-products', { ...body, slug })
    expect([taken.statusCode, taken.json()]).toMatchObject([409, { code: 'slug_taken', errors: { slug: expect.any(String) } }])
    expect((await ask('POST', '/api/data-products', { ...body, slug: 'free', isFree: true })).json()).toMatchObject({
      status: 422,
      errors: { isFree: expect.any(String) },
    })
    for (const said of [
      { slug: newId() },
      { licenceUrl: 'https://example.com/\0' },
      { maskedColumns: ['\0'] },
      { columnDescriptions: { '\uD800': 'x' } },
      { gate: { unique: ['\0'] } },
    ])
      expect((await ask('POST', '/api/data-products', { ...body, slug: 'nul', ...said })).statusCode).toBe(422)
    const edits = await Promise.all(
      ['A', 'B'].map((name) => ask('PUT', `/api/data-products/${id}`, { ...body, slug, name }, { ...staff.headers, 'if-match': '"1"' })),
    )
    expect(edits.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(edits.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'edit_conflict', current: { version: 2 } })
    expect((await ask('PATCH', '/api/data-products/order', { ids: [id] })).json()).toMatchObject({ status: 409, code: 'list_changed' })
  })
  test('values that no database keeps, days beyond the calendar and columns without a value hinder nothing', async () => {
    const numbers = Array.from({ length: 200 }, (_, at) => `${at},,2026-01-01\n`).join('')
    const cut = await take((await makeProduct()).id, `n,empty,day\n${numbers}${'x'.repeat(99)}😀yes,,2026-01-01\n`)
    expect(cut).toMatchObject({ state: 'ready', rows: 200, refusals: [{ line: 202, reason: expect.stringContaining('xxx') }] })
    expect(cut?.columns.map(({ type }) => type)).toEqual(['integer', 'text', 'date'])

    const lines = [{ a: 'x\0y' }, { a: 'C:\\u0000' }, { a: `${'x'.repeat(199)}😀yes` }].map((line) => JSON.stringify(line)).join('\n')
    const nul = await take((await makeProduct()).id, lines, 'prices.jsonl')
    expect(nul).toMatchObject({ state: 'ready', rows: 2, refusals: [{ line: 1, reason: 'The line contains a NUL character' }] })

    const late = await take((await makeProduct()).id, 'day\n9999-12-31\n0001-01-01\n290000-01-01\n')
    expect(late).toMatchObject({ state: 'ready', rows: 3, columns: [{ type: 'date', max: '290000-01-01', histogram: null }] })
  })

  test('a version whose file cannot be taken in, however often it is tried, is refused in the end', async () => {
    const { id } = await makeProduct()
    const cut = new AbortController()
    cut.abort()
    await expect(take(id, 'n\n1\n', 'prices.csv', { signal: cut.signal })).rejects.toThrow('interrupted')
    const [{ id: versionId } = { id: '' }] = await versionsOf(id)
    await removeFile(`datasets/${versionId}/original.csv`)
    const states = []
    for (const attempt of [1, ATTEMPTS]) {
      await expect(run('datasets.import', { versionId }, attempt)).rejects.toThrow('not there')
      states.push((await versionsOf(id))[0]?.state)
    }
    expect(states).toEqual(['processing', 'refused'])
  })
})

describe('security', () => {
  test('strangers and customers change nothing and see no version that is not for them; what is hidden is not there', async () => {
    const { id, slug } = await makeProduct({ hidden: true })
    await makeDataset({ id }, 'n\n1\n')
    const tries: [Method, string, object?][] = [
      ['GET', '/api/admin/data-products'],
      ['POST', '/api/data-products', body],
      ['PUT', `/api/data-products/${id}`, body],
      ['DELETE', `/api/data-products/${id}`],
      ['PATCH', '/api/data-products/order', { ids: [] }],
      ['GET', `/api/data-products/${id}/versions`],
      ['POST', `/api/data-products/${id}/versions/1/publish`, {}],
      ['POST', `/api/data-products/${id}/versions/1/current`],
      ['DELETE', `/api/data-products/${id}/versions/1`],
    ]
    for (const [headers, status] of [
      [customer.headers, 403],
      [{}, 401],
    ] as const) {
      for (const [method, url, payload] of tries)
        expect([url, (await ask(method, url, payload, headers)).statusCode]).toEqual([url, status])
      expect((await ask('GET', `/api/data-products/${slug}`, undefined, headers)).statusCode).toBe(404)
      expect((await ask('GET', '/api/data-products', undefined, headers)).json<{ id: string }[]>().map((each) => each.id)).not.toContain(id)
    }
    expect((await ask('GET', `/api/data-products/${slug}`)).json()).toMatchObject({ rows: 1 })
    expect(await db.selectFrom('dataProducts').select(['version', 'removedAt']).where('id', '=', id).execute()).toEqual([
      { version: 1, removedAt: null },
    ])
  })
})
