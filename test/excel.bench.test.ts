import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { MOST_XLSX_ROWS, writeXlsx, XLSX_TYPE } from '#app/platform/tables/xlsx.ts'
import { writeRows } from '#app/datasets/rows/rows.server.ts'
import { startEndpoints } from './app.ts'
import { forgetLimits } from './enquiries.ts'
import { makeConsultation, makeContact, makeDataset, makeProduct, signIn } from './factories.ts'
import { readSheet } from './sheet.ts'

const app = await startEndpoints()
const owner = await signIn('owner')
beforeEach(forgetLimits)

const get = async (url: string) => app.inject({ url, headers: owner.headers })
const whole = async (pieces: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(pieces))

test('a dataset is an Excel workbook: numbers and days have their types, no digit is lost, and no text is a formula', async () => {
  const product = await makeProduct()
  const lines = [
    'code,price,day,seen,open,big,note',
    '007,1.5,2026-01-31,2026-01-31T12:00:00Z,true,12345678901234567890,=1+1',
    '1,-2,1899-12-31,2026-01-31T00:00:00Z,false,1,"<a> & ""b""\nline"',
    '+49170,,2026-02-01,2026-02-01T06:30:00Z,,2,@SUM(A1)',
  ]
  const version = await makeDataset(product, `${lines.join('\n')}\n`)
  const [head, ...rows] = readSheet(await whole(writeRows(version, { filters: [] }, 'xlsx')))
  expect(head?.map(({ text }) => text)).toEqual(['code', 'price', 'day', 'seen', 'open', 'big', 'note'])
  expect(rows.map((row) => row.map(({ kind }) => kind))).toEqual([
    ['text', 'number', 'day', 'moment', 'truth', 'text', 'text'],
    ['text', 'number', 'text', 'moment', 'truth', 'text', 'text'],
    ['text', 'empty', 'day', 'moment', 'empty', 'text', 'text'],
  ])
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
    ['007', '1.5', '46053', '46053.5', '1', '12345678901234567890', '=1+1'],
    ['1', '-2', '1899-12-31', '46053', '0', '1', '<a> & "b"\nline'],
    ['+49170', '', '46054', expect.stringMatching(/^46054\.2708/), '', '2', '@SUM(A1)'],
  ])
})

test('a workbook has every part of its styles that strict readers demand', async () => {
  const styles = strFromU8(unzipSync(await whole(writeXlsx(['a'], [[1]])))['xl/styles.xml'] ?? new Uint8Array())
  // openpyxl refuses the whole file for a fill without a pattern.
  expect(styles.match(/<fill>.*?<\/fill>/g)).toEqual([
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ])
  expect(styles).not.toMatch(/<(font|fill|border)\/>/)
  const formats = styles.match(/<xf [^>]*>/g) ?? []
  expect(formats).toHaveLength(5)
  for (const format of formats) for (const part of ['numFmtId', 'fontId', 'fillId', 'borderId']) expect(format).toContain(`${part}="`)
})

test('prices with cents are numbers in a workbook, so that they can be summed; more digits than Excel keeps are a text', async () => {
  const product = await makeProduct()
  const version = await makeDataset(product, 'price,large\n19.99,1234567890123456.78\n-5.10,0.10\n')
  const [, ...rows] = readSheet(await whole(writeRows(version, { filters: [] }, 'xlsx')))
  expect(rows.map((row) => row.map(({ kind, text }) => [kind, text]))).toEqual([
    [
      ['number', '19.99'],
      ['text', '1234567890123456.78'],
    ],
    [
      ['number', '-5.1'],
      ['text', '0.10'],
    ],
  ])
})

test('chosen rows come as a workbook; more rows than a sheet has room for are a sentence', async () => {
  const product = await makeProduct()
  const version = await makeDataset(product, 'shop,price\nNorth,1\nSouth,2\nNorth,3\n')
  const wish = { downloadType: 'file', format: 'xlsx', columns: ['price'], filters: [{ column: 'shop', operator: 'eq', value: 'North' }] }
  const ask = (payload: object) =>
    app.inject({ method: 'POST', url: `/api/data-products/${product.id}/download`, headers: owner.headers, payload })
  const { downloadUrl } = (await ask(wish)).json()
  const file = await get(downloadUrl)
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, XLSX_TYPE])
  expect(readSheet(file.rawPayload).map((row) => row.map(({ text }) => text))).toEqual([['price'], ['1'], ['3']])
  await db
    .updateTable('datasetVersions')
    .set({ rows: MOST_XLSX_ROWS + 1 })
    .where('id', '=', version.id)
    .execute()
  const refused = await ask({ downloadType: 'file', format: 'xlsx' })
  expect([refused.statusCode, refused.json().code, refused.json().detail]).toEqual([
    422,
    'too_many_rows',
    'An Excel sheet has room for 1,048,575 rows. Choose CSV or Parquet, or filter the rows.',
  ])
})

test.each([
  ['/api/contacts.csv?format=xlsx', 'contacts', '=HYPERLINK("http://evil.example")'],
  ['/api/consultations.csv?format=xlsx', 'consultations', 'Prices, "daily"'],
  ['/api/leads.csv?format=xlsx', 'leads', '=HYPERLINK("http://evil.example")'],
  ['/api/admin/audit.csv?format=xlsx', 'audit', 'leads_exported'],
  ['/api/newsletter/subscribers.csv?format=xlsx', 'subscribers', '+reader@mail.example'],
  ['/api/redirects/export?format=xlsx', 'redirects', '/old-prices'],
])('%s is a workbook with the rows of the CSV file, and its texts as they are', async (url, name, text) => {
  await makeContact({ name: '=HYPERLINK("http://evil.example")' })
  await makeConsultation({ projectDescription: 'Prices, "daily"' })
  await get('/api/leads.csv')
  await db
    .insertInto('newsletterSubscribers')
    .values({ id: crypto.randomUUID(), email: '+reader@mail.example', source: 'blog' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rule = { fromPath: '/old-prices', toPath: '/prices' }
  await app.inject({ method: 'POST', url: '/api/redirects', headers: owner.headers, payload: rule })
  const file = await get(url)
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, XLSX_TYPE])
  expect(file.headers['content-disposition']).toMatch(new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.xlsx"$`))
  const [head, ...rows] = readSheet(file.rawPayload)
  const csv = await get(url.replace('format=xlsx', name === 'redirects' ? 'format=csv' : ''))
  expect(head?.map((cell) => cell.text)).toEqual(csv.body.replace('\uFEFF', '').split(/\r?\n/)[0]?.replaceAll('"', '').split(','))
  expect(rows.flat().map((cell) => cell.text)).toContain(text)
  for (const row of rows) expect(row).toHaveLength(head?.length ?? 0)
})

test('a full sheet ends with a sentence, and is written in pieces of bounded size', async () => {
  async function* many() {
    for (let at = 0; at < MOST_XLSX_ROWS + 5; at += 1) yield [at, 'text']
  }
  let [bytes, largest] = [0, 0]
  const pieces: Uint8Array[] = []
  for await (const piece of writeXlsx(['n', 't'], many())) {
    bytes += piece.length
    largest = Math.max(largest, piece.length)
    pieces.push(piece)
  }
  expect(largest).toBeLessThan(bytes / 10)
  const rows = readSheet(Buffer.concat(pieces))
  expect(rows).toHaveLength(MOST_XLSX_ROWS + 1)
  expect(rows.at(-1)?.[0]?.text).toBe('An Excel sheet has no room for more rows. Export CSV to get all of them.')
})
