import { globSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startApp } from '#test/app.ts'
import { makeDataset, makeProduct, signIn } from '#test/factories.ts'
import type { OpenApi } from './operation.ts'
import { errorRows } from './reference-words.ts'

const app = await startApp()
const prices = 'shop,price,day\nEbay,1.50,2026-01-01\nAmazon,2.25,2026-01-02\n'
const product = await makeProduct({ slug: 'shop-prices', name: 'Shop prices' })
await makeDataset(product, prices)
await makeDataset(product, `${prices}Otto,3.00,2026-01-03\n`)
const cities = await makeProduct({ slug: 'world-cities', name: 'World cities', position: 2 })
for (const rows of ['city\nParis\n', 'city\nParis\nRome\n']) await makeDataset(cities, rows)
const paid = await makeProduct({ slug: 'paid-leads', name: 'Leads', position: 3, priceCents: 500 })
await makeDataset(paid, prices)

startJobs()
afterAll(() => stopJobs())
const { headers } = await signIn()
const made = await app.inject({ method: 'POST', url: '/api/keys', headers, payload: { name: 'Reader of the reference' } })
const key: string = made.json().key
const description: OpenApi = (await app.inject({ url: '/api/openapi.json' })).json()
const page = await app.inject({ url: '/developers' })

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

test('every call of the Data API is explained, in curl, TypeScript and Python', () => {
  const calls = Object.entries(description.paths).flatMap(([path, operations]) =>
    path.startsWith('/api/v1/')
      ? Object.entries(operations).map(([method, { summary }]) => ({ line: `${method.toUpperCase()} ${path}`, summary }))
      : [],
  )
  expect(page.statusCode).toBe(200)
  const text = plain(page.body)
  expect(calls.filter(({ line, summary = '' }) => !text.includes(line) || !text.includes(summary))).toEqual([])
  for (const language of ['typescript', 'python']) expect(codeIn(page.body, language)).toHaveLength(calls.length)
})

test('each line of curl does what it says, as it stands, for the dataset of the reader', async () => {
  const other = await app.inject({ url: '/developers?dataset=world-cities' })
  for (const html of [page.body, other.body]) {
    const commands = codeIn(html, 'bash').flatMap((code) => code.match(/curl (?:.*\\\n)*.*/g) ?? [])
    expect(commands.length).toBeGreaterThan(2)
    for (const command of commands) expect([command, (await run(command)).statusCode]).toEqual([command, 200])
  }
})

test('answers are shown as they come, with the reader’s own dataset and a row of it, and nothing is made up that no answer has', async () => {
  const answers = codeIn(page.body, 'json').map((text): unknown => JSON.parse(text))
  expect(answers).toContainEqual({ data: [{ shop: 'Ebay', price: 1.5, day: '2026-01-01' }], nextCursor: null, version: 2 })
  expect(answers).toContainEqual(expect.objectContaining({ slug: 'shop-prices', name: 'Shop prices', access: 'granted' }))
  expect(answers).not.toContainEqual({})
  expect(answers).not.toContainEqual('text')
  expect(answers).not.toContainEqual(expect.objectContaining({ columns: [expect.objectContaining({ name: 'Shop prices' })] }))
  // Changes come as JSON and JSON Lines only.
  const formats = plain(page.body.replaceAll('</td>', ' ')).match(/Instead of Accept: [\w, ]+/g)
  expect(formats?.map((words) => words.trim())).toEqual(['Instead of Accept: json, jsonl, csv, parquet', 'Instead of Accept: json, jsonl'])
})

test('a reader can ask for another dataset that is there; one that is not is told so', async () => {
  expect(page.body).toContain('href="/developers?dataset=world-cities"')
  expect(page.body).not.toContain('/datasets/world-cities')
  expect((await app.inject({ url: '/developers?dataset=nowhere' })).statusCode).toBe(404)
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
  const listed = plain(page.body.slice(page.body.indexOf('id="sec-errors"')))
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
