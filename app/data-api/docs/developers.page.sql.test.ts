import { globSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { pageLimits } from '#app/data-api/v1/dataset.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startApp } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import type { OpenApi } from './operation.ts'
import { errorRows, pageSizes } from './reference-words.ts'

const app = await startApp()
const prices = 'shop,price,day\nEbay,1.50,2026-01-01\nAmazon,2.25,2026-01-02\n'
const product = await makeProduct({ slug: 'shop-prices', name: 'Shop prices' })
await makeDataset(product, prices)
await makeDataset(product, `${prices}Otto,3.00,2026-01-03\n`)
const cities = await makeProduct({ slug: 'world-cities', name: 'World cities', position: 2 })
for (const rows of ['city\nParis\n', 'city\nParis\nRome\n']) await makeDataset(cities, rows)
const paid = await makeProduct({ slug: 'paid-leads', name: 'Leads', position: 3, priceCents: 500 })
await makeDataset(paid, prices)

const personal = await makeProduct({ slug: 'people', name: 'People', position: 4, priceCents: 900, maskedColumns: ['email'] })
await makeDataset(personal, 'email,city\nada@secret.example,Paris\n')

startJobs()
afterAll(() => stopJobs())
const { headers } = await signIn()
const made = await app.inject({ method: 'POST', url: '/api/keys', headers, payload: { name: 'Reader of the reference' } })
const key: string = made.json().key
const description: OpenApi = (await app.inject({ url: '/api/openapi.json' })).json()
const page = await app.inject({ url: '/developers/endpoints' })
const start = await app.inject({ url: '/developers' })
const guide = await app.inject({ url: '/developers/guide' })

function codeIn(html: string, language: string): string[] {
  const blocks = html.matchAll(new RegExp(`<pre[^>]*data-language="${language}"[^>]*>(.*?)</pre>`, 'gs'))
  return [...blocks].map(([, code = '']) => plain(code))
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** Sends the request of a curl command line. */
async function run(command: string) {
  const [, address = ''] = /"(https?:[^"]+)"/.exec(command) ?? []
  const given = [...command.matchAll(/--header "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value.replace(/\$\w+/, key),
  ])
  const url = new URL(address)
  return app.inject({ url: url.pathname + url.search, headers: Object.fromEntries(given) })
}

const PLACE = '/api/v1/'
const calls = Object.entries(description.paths).flatMap(([path, operations]) =>
  path.startsWith(PLACE)
    ? Object.entries(operations).map(([method, { summary }]) => ({ path, line: `${method.toUpperCase()} ${path}`, summary }))
    : [],
)

test('every call of the Data API is explained with its page size, in curl, TypeScript and Python, and listed on the first page', () => {
  expect([start.statusCode, page.statusCode]).toEqual([200, 200])
  for (const body of [start.body, page.body]) {
    const text = plain(body)
    expect(calls.filter(({ line, summary = '' }) => !text.includes(line) || !text.includes(summary))).toEqual([])
  }
  expect(new Set(Object.keys(pageSizes))).toEqual(new Set(calls.map(({ path }) => path)))
  const sizes = plain(page.body)
  for (const size of Object.values(pageSizes)) expect(sizes).toContain(size.replaceAll('`', ''))
  expect(sizes).toContain(`${pageLimits.usual} rows by default, 10,000 at most`)
  for (const language of ['bash', 'typescript', 'python']) expect(codeIn(page.body, language)).toHaveLength(calls.length)
})

test('each line of curl does what it says, as it stands, for the dataset of the reader', async () => {
  const other = await app.inject({ url: '/developers/endpoints?dataset=world-cities' })
  for (const html of [page.body, start.body, guide.body, other.body]) {
    const commands = codeIn(html, 'bash').flatMap((code) => code.match(/curl (?:.*\\\n)*.*/g) ?? [])
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) expect([command, (await run(command)).statusCode]).toEqual([command, 200])
  }
})

const answersIn = (html: string) => codeIn(html, 'json').map((text): unknown => JSON.parse(text))

test('answers are real: the rows, columns and versions of the reader’s own dataset, and a cursor that goes on behind them', async () => {
  const answers = answersIn(page.body)
  expect(answers).toHaveLength(calls.length - 1)
  const rows = z.object({ data: z.array(z.unknown()), nextCursor: z.string(), version: z.literal(2) }).parse(answers[3])
  expect(rows.data).toEqual([
    { shop: 'Ebay', price: '1.50', day: '2026-01-01' },
    { shop: 'Amazon', price: '2.25', day: '2026-01-02' },
  ])
  const following = await app.inject({
    url: `/api/v1/datasets/shop-prices/rows?limit=2&cursor=${encodeURIComponent(rows.nextCursor)}`,
    headers: { authorization: `Bearer ${key}` },
  })
  expect(following.json().data).toEqual([{ shop: 'Otto', price: '3.00', day: '2026-01-03' }])
  expect(answers[0]).toMatchObject({ data: [{ slug: 'shop-prices', name: 'Shop prices', access: 'granted', rows: 3 }] })
  expect(answers[1]).toMatchObject({
    slug: 'shop-prices',
    columns: [{ name: 'shop' }, { name: 'price' }],
    versions: [{ number: 2 }, { number: 1 }],
  })
  const schema = await app.inject({ url: '/api/v1/datasets/shop-prices/schema', headers: { authorization: `Bearer ${key}` } })
  expect(answers[2]).toEqual(schema.json())
  // Changes come as JSON and JSON Lines only.
  const formats = plain(page.body.replaceAll('</p>', '.')).match(/Instead of Accept: [\w, ]+/g)
  expect(formats?.map((words) => words.trim())).toEqual(['Instead of Accept: json, jsonl, csv, parquet', 'Instead of Accept: json, jsonl'])
})

test('a signed-in reader sees the dataset that they downloaded last, and values of personal columns only with access', async () => {
  const open = async (who: Record<string, string>, query = '') =>
    (await app.inject({ url: `/developers/endpoints${query}`, headers: who })).body
  const reader = await signIn()
  expect(answersIn(await open(reader.headers, '?dataset=people'))[3]).toMatchObject({ data: [{ email: '•••', city: 'Paris' }] })
  expect(answersIn(await open({}, '?dataset=people'))[3]).toMatchObject({ data: [{ email: '•••', city: 'Paris' }] })
  const grant = { id: newId(), productId: personal.id, userId: reader.user.id, organizationId: reader.user.id, grantedBy: newId() }
  await db.insertInto('entitlements').values(grant).execute()
  expect(answersIn(await open(reader.headers))[3]).toMatchObject({ data: [{ email: 'ada@secret.example', city: 'Paris' }] })
  const taken = {
    method: 'POST',
    url: '/api/data-products/world-cities/download',
    headers: reader.headers,
    payload: { downloadType: 'file' },
  } as const
  expect((await app.inject(taken)).statusCode).toBe(200)
  expect(answersIn(await open(reader.headers))[3]).toMatchObject({ data: [{ city: 'Paris' }, { city: 'Rome' }] })
})

test('a reader can choose another dataset on every page, and stays with it; one that is not there is told so', async () => {
  expect(page.body).toMatch(/<option value="world-cities"[^>]*>World cities</)
  expect(page.body).not.toContain('/datasets/world-cities')
  for (const path of ['/developers', '/developers/endpoints', '/developers/guide', '/developers/errors', '/developers/changelog']) {
    const chosen = await app.inject({ url: `${path}?dataset=world-cities` })
    expect([path, chosen.statusCode, Boolean(chosen.headers.etag)]).toEqual([path, 200, true])
    expect(chosen.body).toContain('href="/developers/endpoints?dataset=world-cities"')
    expect((await app.inject({ url: `${path}?dataset=nowhere` })).statusCode).toBe(404)
  }
})

test('a key is never part of a form that is sent, and the field for it is empty', () => {
  const fields = [...page.body.matchAll(/<input[^>]*data-try-key[^>]*>/g)].map(([field]) => field)
  expect(fields).toHaveLength(calls.length)
  for (const field of fields) expect(field).not.toMatch(/ (name|value)=/)
})

test('what can go wrong is in the list of errors, by its status and its code', async () => {
  const rows = '/api/v1/datasets/{slug}/rows'
  const wrongs = [
    { path: '/api/v1/datasets', url: '/api/v1/datasets', given: {}, status: 401 },
    { path: '/api/v1/datasets/{slug}', url: '/api/v1/datasets/nowhere', given: { authorization: `Bearer ${key}` }, status: 404 },
    { path: rows, url: '/api/v1/datasets/paid-leads/rows', given: { authorization: `Bearer ${key}` }, status: 402 },
    { path: rows, url: '/api/v1/datasets/shop-prices/rows?nothing=1', given: { authorization: `Bearer ${key}` }, status: 422 },
    { path: rows, url: '/api/v1/datasets/shop-prices/rows', given: { authorization: `Bearer ${key}`, accept: 'image/png' }, status: 406 },
  ].filter(({ path }) => path in description.paths)
  const listed = plain((await app.inject({ url: '/developers/errors' })).body)
  for (const { url, given, status } of wrongs) {
    const answer = await app.inject({ url, headers: given })
    expect([url, answer.statusCode]).toEqual([url, status])
    expect(listed).toContain(String(status))
    expect(listed).toContain(answer.json().code ?? '')
  }
})

test('every code that the Data API answers with has its line', () => {
  const sources = globSync(
    ['app/data-api/v1/*.ts', 'app/data-api/keys/{key-holder,quota}.server.ts', 'app/datasets/catalog/access.server.ts'],
    {
      exclude: ['**/*.test.ts'],
    },
  )
  const codes = sources.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bcode: '(\w+)'/g)].map(([, code = '']) => code))
  const listed = new Set(errorRows.map(([, code]) => code))
  expect(codes.filter((code) => !listed.has(code))).toEqual([])
  expect(codes).toContain('invalid_key')
})
