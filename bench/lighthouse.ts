// Lighthouse on every public page, one dataset as an example, and the pages of the workspace, on a phone: the scores, paint, shift, blocking and bytes, each the median of five runs (ROUNDS; PAGES=/,/contact and INSIDE=/,/dashboard measure only these). The home page is compared with the same words as bare HTML.
import { chromium } from '@playwright/test'
import lighthouse, { type Flags, type RunnerResult } from 'lighthouse'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { findChromium } from '#test/e2e/chromium.ts'
import { startServer } from '#test/e2e/server.ts'
import { freePort } from '#test/postgres.ts'
import { printFigures } from './figures.ts'
import { cookiesOfOwner, signUpOwner } from './owner.ts'
import { settledMap } from './settled.ts'

type Report = RunnerResult['lhr']

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const categories = ['performance', 'accessibility', 'best-practices', 'seo']
/** For a public page: its performance score, its paint in seconds, and its script before anyone touches a form, in bytes as sent. */
const PUBLIC_BARS = { performance: 97, paint: 1.2, script: 5_000 }

/** For the catalog, the list of posts and the home page, in bytes. */
const WEIGHT_BAR = 120_000
const light = new Set(['/', '/datasets', '/blog'])
/** For a page of the workspace: its performance score, and its script on a first visit, in bytes. */
const INSIDE_BARS = { performance: 90, script: 250_000 }

const MARKETPLACE = '/data-marketplace'
const insidePages = [
  '/',
  '/dashboard',
  '/dashboard/letters',
  '/notifications',
  MARKETPLACE,
  '/admin/blog',
  '/admin/newsletter',
  '/admin/redirects',
  '/admin/products',
  '/admin/users',
  '/admin/settings',
  '/admin/calendar',
  '/account',
  '/account/security',
  '/account/keys',
]
/** The first one with the most columns. */
const DATASET = `${MARKETPLACE}/daily-shop-prices`

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync']

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-lighthouse-'))
const server = await startServer({ DATA_DIR: dataDir })
await publishPictures()
const cookies = await cookiesOfOwner(server.url)
const port = await freePort()
const browser = await chromium.launch({ executablePath: findChromium(), args: [...quiet, `--remote-debugging-port=${port}`] })

const bare = await serveBare()

const figures = []
const listed = await listedPages()
const { PAGES, INSIDE } = process.env
const only = (paths: string | undefined, all: string[]) =>
  paths?.split(',').filter(Boolean) ?? (PAGES === undefined && INSIDE === undefined ? all : [])
for (const page of only(PAGES, listed)) figures.push(...(await measure(page)))
for (const page of only(INSIDE, insidePages)) figures.push(...(await measureInside(page)))
await browser.close()
bare.close()
await server.stop()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = printFigures(figures) ? 0 : 1

/** The pages of the sitemap. The pages of datasets share their parts, so one represents all. */
async function listedPages(): Promise<string[]> {
  const map = await settledMap(server.url)
  const paths = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname)
  return paths.filter((path) => !path.startsWith(`${MARKETPLACE}/`) || path === DATASET)
}

/** A post with the most expensive content: a photograph above the text, another one, code and a table. */
async function publishPictures() {
  const headers = await signUpOwner(server.url)
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const photograph = await sharp({ create: { width: 1600, height: 1000, channels: 3, background: '#284', noise } })
    .blur(4)
    .jpeg()
    .toBuffer()
  const addresses = []
  for (const body of [photograph, await sharp(photograph).negate().jpeg().toBuffer()]) {
    const given = { method: 'POST', headers: { ...headers, 'content-type': 'image/jpeg' }, body: new Uint8Array(body) }
    const { url } = await (await fetch(`${server.url}/api/images?name=p.jpg&alt=Shelves`, given)).json()
    addresses.push(url)
  }
  const code = '```ts\nfor (const row of rows) {\n  await keep({ ...row, price: Number(row.price) })\n}\n```'
  const parts = Array.from({ length: 8 }, (_, index) => `## Part ${index + 1}\n\n${'Some words about prices. '.repeat(40)}\n\n${code}`)
  const content = `${parts.join('\n\n')}\n\n![Stacked boxes](${addresses[1]})\n\n| shop | price |\n|---|---|\n| one | 2.50 |`
  const post = { title: 'With pictures', slug: 'with-pictures', content, featuredImage: addresses[0], tags: ['prices'], published: true }
  const body = JSON.stringify(post)
  const reply = await fetch(`${server.url}/api/blog`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  if (reply.status !== 201) throw new Error(`The post was answered by ${reply.status}: ${await reply.text()}`)
}

async function measure(page: string) {
  const flags: Flags = { port, onlyCategories: categories, logLevel: 'error' }
  const runs: Report[] = []
  const runsOfBare: Report[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await run(`${server.url}${page}`, flags, runs)
    if (page === '/') await run(bare.url, flags, runsOfBare)
  }
  const [paint, shift, blocked] = [
    value(runs, 'largest-contentful-paint'),
    value(runs, 'cumulative-layout-shift'),
    value(runs, 'total-blocking-time'),
  ]
  const work = value(runs, 'mainthread-work-breakdown')
  const bytes = value(runs, 'total-byte-weight')
  const isLight = light.has(page)
  const script = await sentScript(page)
  const least = (category: string) => (category === 'performance' ? PUBLIC_BARS.performance : 100)
  return [
    ...categories.map((category) => ({
      what: `${page} ${category}`,
      found: String(score(runs, category)),
      bar: `at least ${least(category)}`,
      ok: score(runs, category) >= least(category),
    })),
    {
      what: `${page} largest contentful paint, seconds`,
      found: (paint / 1000).toFixed(2),
      bar: `at most ${PUBLIC_BARS.paint}`,
      ok: paint <= PUBLIC_BARS.paint * 1000,
    },
    { what: `${page} layout shift`, found: shift.toFixed(3), bar: '0', ok: shift === 0 },
    { what: `${page} blocked, milliseconds`, found: blocked.toFixed(0) },
    { what: `${page} main thread, milliseconds`, found: work.toFixed(0) },
    ...(runsOfBare.length > 0
      ? [{ what: `${page} blocked, milliseconds, as bare HTML`, found: value(runsOfBare, 'total-blocking-time').toFixed(0) }]
      : []),
    { what: `${page} bytes of script`, found: String(script), bar: `at most ${PUBLIC_BARS.script}`, ok: script <= PUBLIC_BARS.script },
    {
      what: `${page} bytes on the wire`,
      found: String(bytes),
      ...(isLight && { bar: `at most ${WEIGHT_BAR}`, ok: bytes <= WEIGHT_BAR }),
    },
    speedOfMachine(page, runs),
  ]
}

/** A page of the workspace, which the browser renders once more. Search engines are redirected, so it has no SEO score. */
async function measureInside(page: string) {
  const what = `signed in, ${page}`
  const scored = categories.filter((category) => category !== 'seo')
  const flags: Flags = { port, onlyCategories: scored, logLevel: 'error', extraHeaders: { cookie: cookies } }
  const runs: Report[] = []
  for (let round = 0; round < ROUNDS; round += 1) await run(`${server.url}${page}`, flags, runs)
  const least = (category: string) => (category === 'performance' ? INSIDE_BARS.performance : 100)
  const script = await sentScript(page, { cookie: cookies })
  return [
    ...scored.map((category) => ({
      what: `${what} ${category}`,
      found: String(score(runs, category)),
      bar: `at least ${least(category)}`,
      ok: score(runs, category) >= least(category),
    })),
    { what: `${what} largest contentful paint, seconds`, found: (value(runs, 'largest-contentful-paint') / 1000).toFixed(2) },
    { what: `${what} layout shift`, found: value(runs, 'cumulative-layout-shift').toFixed(3) },
    { what: `${what} blocked, milliseconds`, found: value(runs, 'total-blocking-time').toFixed(0) },
    { what: `${what} bytes of script`, found: String(script), bar: `at most ${INSIDE_BARS.script}`, ok: script <= INSIDE_BARS.script },
    speedOfMachine(what, runs),
  ]
}

/** On a busy machine, Lighthouse misses the beginning of a page now and then. */
async function run(url: string, flags: Flags, reports: Report[]) {
  for (let tries = 0; tries < 3; tries += 1) {
    const lhr = (await lighthouse(url, flags))?.lhr
    if (!lhr || lhr.runtimeError) continue
    reports.push(lhr)
    return
  }
  throw new Error(`Lighthouse did not measure ${url}.`)
}

function score(runs: Report[], category: string): number {
  return median(runs.map((lhr) => Math.round((lhr.categories[category]?.score ?? 0) * 100)))
}

function value(runs: Report[], audit: string): number {
  return median(runs.map((lhr) => lhr.audits[audit]?.numericValue ?? Number.NaN))
}

/** Times assume a machine with a benchmark index of 1,000 or more, throttled four times; a slower machine inflates them. */
function speedOfMachine(what: string, runs: Report[]) {
  return {
    what: `${what} speed of this machine, by Lighthouse's index`,
    found: median(runs.map((lhr) => lhr.environment.benchmarkIndex)).toFixed(0),
  }
}

/** The home page without styles, script and fonts, with its headers and its compression. */
async function serveBare() {
  const page = await fetch(`${server.url}/`, { headers: { 'accept-encoding': 'br', 'user-agent': 'bench' } })
  const words = (await page.text()).replaceAll(/<(style|script)\b.*?<\/\1>/gs, '')
  const body = brotliCompressSync(words)
  const own = new Set(['date', 'connection', 'keep-alive', 'etag', 'content-length', 'transfer-encoding'])
  const headers = Object.fromEntries([...page.headers].filter(([name]) => !own.has(name)))
  const listening = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(307, { location: `${server.url}${request.url}` }).end()
    return response.writeHead(200, { ...headers, 'content-encoding': 'br', 'content-length': body.length }).end(body)
  })
  const ownPort = await freePort()
  await new Promise<void>((resolve) => listening.listen(ownPort, resolve))
  return { url: `http://localhost:${ownPort}/`, close: () => listening.close() }
}

/** The files of script on a first visit, in bytes as sent, without headers: behind a proxy, these are compressed as well. */
async function sentScript(page: string, headers: Record<string, string> = {}): Promise<number> {
  const context = await browser.newContext({ extraHTTPHeaders: headers })
  const tab = await context.newPage()
  const sent: Promise<number>[] = []
  tab.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') sent.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await tab.goto(`${server.url}${page}`, { waitUntil: 'load' })
  await tab.waitForTimeout(1000)
  const bytes = (await Promise.all(sent)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return bytes
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
