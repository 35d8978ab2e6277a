// A dataset of 1,000,000 rows × 20 columns: upload to publication, the next page, a filtered and sorted page, each against a direct DuckDB query; a stream of all rows.
import { DuckDBInstance } from '@duckdb/node-api'
import { mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Column } from '#app/datasets/catalog/column.ts'
import { type Server, startServer } from '#test/e2e/server.ts'
import { beginTusUpload, sendTusChunk } from '#test/tus.ts'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'

const ROWS = Number(process.env['ROWS'] ?? 1_000_000)
const PAGES = Number(process.env['PAGES'] ?? 60)
/** Each has a thousand rows. */
const SHOPS = Math.ceil(ROWS / 1000)
const CHUNK = 8 * 2 ** 20
const bars = { publishedS: 20, nextMs: 100, sortedMs: 150, ratio: 2 }

type Headers = Record<string, string>
type Published = { slug: string; versionId: string; columns: Column[]; seconds: number }
type Page = { data: Record<string, unknown>[]; nextCursor: string | null }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-datasets-'))
const direct = await (await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '512MB' })).connect()
await direct.run('SET parquet_metadata_cache = true')
const given = path.join(folder, 'given.csv')
await direct.run(`COPY (${made()}) TO '${given}' (FORMAT csv, HEADER)`)
const dataDir = path.join(folder, 'data')
const server = await startServer({ RATE_LIMITS: 'off', LOG_LEVEL: 'fatal', DATA_DIR: dataDir })
try {
  const headers = await signUpOwner(server.url)
  const { slug, versionId, columns, seconds } = await publish(server, headers)
  const rows = `${server.url}/api/v1/datasets/${slug}/rows`
  const parquet = `read_parquet('${path.join(dataDir, 'files/datasets', versionId, 'data.parquet')}')`
  const next = await measureNext(rows, headers, parquet)
  const sorted = await measureSorted(rows, headers, parquet)
  const stream = await measureStream({ id: versionId, columns })
  const size = (statSync(given).size / 2 ** 20).toFixed(0)
  const ok = [
    printFigures([
      {
        what: `upload of ${size} MB to published`,
        found: `${seconds.toFixed(1)} s`,
        bar: `≤ ${bars.publishedS} s`,
        ok: seconds <= bars.publishedS,
      },
      ...figuresOf('next page', next, bars.nextMs),
      ...figuresOf('filtered and sorted page', sorted, bars.sortedMs),
      { what: 'all rows as CSV, as a download makes them', found: stream },
    ]),
  ]
  process.exitCode = ok.every(Boolean) ? 0 : 1
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Twenty deterministic columns: with few and many distinct values, sorted and unsorted. */
function made(): string {
  const kinds = [
    (at: number) => `hash(range * ${at}) % 100000 AS count_${at}`,
    (at: number) => `'a text of some length ' || (hash(range * ${at}) % 1000) AS text_${at}`,
    (at: number) => `(hash(range * ${at}) % 1000000) / 1000.0 AS number_${at}`,
  ]
  const others = Array.from({ length: 15 }, (_, at) => kinds[at % 3]?.(at + 13))
  return `SELECT range AS id, hash(range) % ${SHOPS} AS shop, (hash(range * 7) % 100000) / 100.0 AS price, 'product ' || (hash(range * 3) % 50000) AS name,
    DATE '2020-01-01' + (hash(range * 11) % 2000)::INTEGER AS day, ${others.join(', ')} FROM range(${ROWS})`
}

/** The staff's steps: create a product, upload its file in parts, and publish the version when it is ready. */
async function publish({ url }: Server, headers: Headers): Promise<Published> {
  const slug = 'a-million-rows'
  const product = { slug, name: 'A million rows', description: 'Made for a bench.', category: 'Benches', price: 0, hidden: false }
  const { id } = await send(`${url}/api/data-products`, headers, product)
  const began = performance.now()
  const bytes = statSync(given).size
  const upload = await beginTusUpload(url, headers, bytes, { productId: id, filename: 'given.csv', changes: 'The first rows.' })
  const file = openSync(given, 'r')
  for (let at = 0; at < bytes; at += CHUNK) {
    const body = Buffer.alloc(Math.min(CHUNK, bytes - at))
    readSync(file, body, 0, body.length, at)
    const reply = await sendTusChunk(upload, headers, at, body)
    if (!reply.ok) throw new Error(`A piece was answered by ${reply.status}: ${await reply.text()}`)
  }
  const versions = `${url}/api/data-products/${id}/versions`
  for (;;) {
    const [version] = await (await fetch(versions, { headers })).json()
    if (version?.state === 'ready') {
      await send(`${versions}/${version.number}/publish`, headers, {})
      return { slug, versionId: version.id, columns: version.columns, seconds: (performance.now() - began) / 1000 }
    }
    if (version && version.state !== 'processing') throw new Error(`The version is ${version.state}: ${version.failure}`)
    await sleep(100)
  }
}

async function send(url: string, headers: Headers, body: object): Promise<{ id: string }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} was answered by ${reply.status}: ${text}`)
  return JSON.parse(text || '{}')
}

async function pageAt(url: string, headers: Headers): Promise<Page> {
  const reply = await fetch(url, { headers: { ...headers, accept: 'application/json' } })
  if (!reply.ok) throw new Error(`${url} was answered by ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

/** Page after page, from the middle of the file; both sides get each request in turn. */
async function measureNext(rows: string, headers: Headers, parquet: string): Promise<Measured> {
  let cursor: string | null = null
  const from = Math.floor(ROWS / 20_000) * 10_000
  const next = (limit: number) => pageAt(`${rows}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, headers)
  for (let read = 0; read < from; read += 10_000) cursor = (await next(10_000)).nextCursor
  return measure(async (at) => {
    const place = from + at * 100 - 1
    return {
      ours: async () => {
        const page = await next(100)
        if (page.data.length !== 100) throw new Error('A page is not whole.')
        cursor = page.nextCursor
      },
      theirs: `SELECT * FROM ${parquet} WHERE file_row_number > ${place} ORDER BY file_row_number LIMIT 100`,
    }
  })
}

/** The most expensive offers of a shop (a thousand rows) below a price. The shop changes each time, so that no cache helps. */
async function measureSorted(rows: string, headers: Headers, parquet: string): Promise<Measured> {
  return measure(async (at) => {
    const [shop, price] = [(at * 37) % SHOPS, 900 - at]
    return {
      ours: async () => {
        const page = await pageAt(`${rows}?limit=100&shop=${shop}&price[lte]=${price}&sort=-price`, headers)
        if (page.data.length !== 100) throw new Error('A page is not whole.')
      },
      theirs: `SELECT * FROM ${parquet} WHERE shop = ${shop} AND price <= ${price} ORDER BY price DESC NULLS LAST, file_row_number LIMIT 100`,
    }
  })
}

type Measured = { ours: number[]; theirs: number[] }

async function measure(pair: (at: number) => Promise<{ ours: () => Promise<void>; theirs: string }>): Promise<Measured> {
  const times: Measured = { ours: [], theirs: [] }
  for (let at = 0; at < PAGES; at += 1) {
    const { ours, theirs } = await pair(at)
    times.ours.push(await timeOf(ours))
    times.theirs.push(await timeOf(async () => void (await direct.runAndReadAll(theirs)).getRowObjectsJson()))
  }
  return times
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function figuresOf(what: string, { ours, theirs }: Measured, bar: number) {
  const p95 = at(ours, 0.95)
  const ratio = at(ours, 0.5) / at(theirs, 0.5)
  return [
    { what: `${what}, 95 of 100 within`, found: `${p95.toFixed(0)} ms`, bar: `≤ ${bar} ms`, ok: p95 <= bar },
    {
      what: `${what}, against DuckDB asked directly (medians)`,
      found: `${ratio.toFixed(2)} ×`,
      bar: `≤ ${bars.ratio} ×`,
      ok: ratio <= bars.ratio,
    },
  ]
}

function at(times: number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN
}

/** All rows as CSV, generated like a download, and the memory growth of this process. */
async function measureStream(version: { id: string; columns: Column[] }): Promise<string> {
  process.env['DATA_DIR'] = dataDir
  const { writeRows } = await import('#app/datasets/rows/rows.server.ts')
  const all = { ...version, rows: ROWS, originalBytes: statSync(given).size, originalFormat: 'csv' as const }
  const before = process.memoryUsage.rss()
  let [bytes, most] = [0, before]
  const milliseconds = await timeOf(async () => {
    for await (const piece of writeRows(all, { filters: [] }, 'csv')) {
      bytes += piece.length
      most = Math.max(most, process.memoryUsage.rss())
    }
  })
  return `${(bytes / 2 ** 20).toFixed(0)} MB in ${(milliseconds / 1000).toFixed(1)} s, memory + ${((most - before) / 2 ** 20).toFixed(0)} MB`
}
