import { DuckDBInstance } from '@duckdb/node-api'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from './engine.ts'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'
import { end, serve, untilFirstDatasets } from './serve.ts'
import { takeDataset } from './take-dataset.ts'

const SIZES = (process.env['SIZES'] ?? '1000000,10000000').split(',').map(Number)
const ROUNDS = 5
const PAGES = 100
const READERS = 8
const SECONDS = 4
const BASE = 'http://127.0.0.1:4682'
const BARE = 'http://127.0.0.1:4683'
/** A next page of up to so many rows, in milliseconds of the 95th percentile. Larger ones have the bar of their growth. */
const NEXT_BAR = { rows: 1_000_000, ms: 12 }
const GROWTH_BAR = 1.3

type Headers = Record<string, string>
type Kind = 'next' | 'equal' | 'sorted'
type Dataset = { rows: number; slug: string; times: Record<Kind, number[]> }

/** Pages of 100 rows of datasets of several sizes, in turns, by one reader and by eight. */
export async function measurePages({ env }: Engine, folder: string): Promise<boolean> {
  const child = await serve(BASE, { JWT_EXP: '86400', ...env })
  const bare = spawn(process.execPath, ['bench/bare-page.ts', BARE], { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    const owner = await signUpOwner(BASE)
    await untilFirstDatasets(BASE)
    const headers = await keyOf(owner)
    const datasets: Dataset[] = []
    for (const rows of SIZES) datasets.push(await published(rows, owner, headers, folder, env['DATA_DIR'] ?? ''))
    const rates: { ours: number[]; bare: number[]; perCore: number[] } = { ours: [], bare: [], perCore: [] }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const dataset of datasets) await readOne(dataset, headers, round)
      const first = `${BASE}/api/v1/datasets/${datasets[0]?.slug}/rows?limit=100`
      const { rate, perCore } = await readMany(first, headers, child)
      rates.ours.push(rate)
      rates.perCore.push(perCore)
      rates.bare.push((await readMany(BARE, {}, bare)).perCore)
    }
    const whole = datasets[0] ? await readWhole(datasets[0], headers, child) : []
    return printFigures([
      ...datasets.flatMap((dataset, at) => figuresOf(dataset, datasets[0] ?? dataset, at)),
      ...ratesOf(rates),
      ...whole,
      { what: 'load of the machine at the end, processors', found: `${(loadavg()[0] ?? 0).toFixed(1)}, ${availableParallelism()}` },
    ])
  } finally {
    bare.kill()
    await end(child)
  }
}

async function keyOf(owner: Headers): Promise<Headers> {
  const headers = { ...owner, 'content-type': 'application/json' }
  const { id, key } = await (await fetch(`${BASE}/api/keys`, { method: 'POST', headers, body: JSON.stringify({ name: 'Bench' }) })).json()
  await fetch(`${BASE}/api/admin/keys/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ monthlyQuota: 100_000_000 }) })
  return { authorization: `Bearer ${key}` }
}

/** Uploads the dataset as staff do it, and asks until everything that makes reading it faster is there. */
async function published(rows: number, owner: Headers, headers: Headers, folder: string, dataDir: string): Promise<Dataset> {
  const file = path.join(mkdtempSync(path.join(folder, 'given-')), `rows-${rows}.parquet`)
  const maker = await (await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' })).connect()
  await maker.run(`COPY (${made(rows)}) TO '${file}' (FORMAT parquet)`)
  maker.closeSync()
  const dataset = { rows, slug: (await takeDataset(BASE, owner, file)).slug, times: { next: [], equal: [], sorted: [] } }
  const derived = () => readdirSync(path.join(dataDir, 'cache', 'rows')).filter((name) => !name.includes('.')).length
  await pageAt(urlOf(dataset, 'next', 0), headers)
  const before = derived()
  const began = performance.now()
  for (const kind of ['equal', 'equal', 'sorted', 'sorted'] as const) await pageAt(urlOf(dataset, kind, 0), headers)
  while (derived() < before + 3) await sleep(200)
  process.stdout.write(`  ${rows.toLocaleString('en')} rows: prepared in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  return dataset
}

/** Nineteen columns: with few and many distinct values, in order and without one. */
function made(rows: number): string {
  const kinds = [
    (at: number) => `(hash(range * ${at}) % 100000)::BIGINT AS count_${at}`,
    (at: number) => `'a text of some length ' || (hash(range * ${at}) % 1000) AS text_${at}`,
    (at: number) => `((hash(range * ${at}) % 1000000) / 1000.0)::DOUBLE AS number_${at}`,
  ]
  const others = Array.from({ length: 14 }, (_, at) => kinds[at % 3]?.(at + 13))
  return `SELECT range AS id, (hash(range) % 1000)::BIGINT AS shop, ((hash(range * 7) % 100000) / 100.0)::DOUBLE AS price,
    'product ' || (hash(range * 3) % 50000) AS name, DATE '2020-01-01' + (hash(range * 11) % 2000)::INTEGER AS day, ${others.join(', ')} FROM range(${rows})`
}

/** Other values each time, so that no result is known. */
function urlOf({ slug }: Dataset, kind: Kind, at: number): string {
  const rows = `${BASE}/api/v1/datasets/${slug}/rows?limit=100`
  if (kind === 'next') return rows
  return kind === 'equal'
    ? `${rows}&name=product ${(at * 37) % 50_000}`
    : `${rows}&shop=${(at * 37) % 1000}&price[lte]=${900 - (at % 100)}&sort=-price`
}

async function pageAt(url: string, headers: Headers): Promise<string | undefined> {
  const reply = await fetch(url, { headers })
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`${url} was answered ${reply.status}.`)
  return /<([^>]+)>/.exec(reply.headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, BASE)
}

async function readOne(dataset: Dataset, headers: Headers, round: number) {
  let next: string | undefined
  for (let at = 0; at < PAGES; at += 1) {
    const url = next ?? urlOf(dataset, 'next', 0)
    dataset.times.next.push(await timeOf(async () => void (next = await pageAt(url, headers))))
    for (const kind of ['equal', 'sorted'] as const) {
      if (at % 2 === 0)
        dataset.times[kind].push(await timeOf(async () => void (await pageAt(urlOf(dataset, kind, round * PAGES + at), headers))))
    }
  }
}

/** Pages a second, and for a second of the server's processor time. */
async function readMany(first: string, headers: Headers, server: ChildProcess): Promise<{ rate: number; perCore: number }> {
  const [before, until] = [processorTime(server), performance.now() + SECONDS * 1000]
  let pages = 0
  const reader = async () => {
    for (let url = first; performance.now() < until; pages += 1) url = (await pageAt(url, headers)) ?? first
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return { rate: pages / SECONDS, perCore: pages / (processorTime(server) - before) }
}

/**
 * The processor time of pages of 10,000 rows, one after the other, against that of the file with the same rows: for a client as it is, which
 * accepts gzip, and for one that does not.
 */
async function readWhole(dataset: Dataset, headers: Headers, server: ChildProcess) {
  const rows = `${BASE}/api/v1/datasets/${dataset.slug}/rows?limit=10000`
  const file = `${BASE}/api/v1/datasets/${dataset.slug}/download?format=json`
  const times: Record<'packed' | 'plain' | 'file', number[]> = { packed: [], plain: [], file: [] }
  // The first request begins to make the file.
  while (!(await fetch(file, { headers, method: 'HEAD' })).ok) await sleep(500)
  const readAll = async (given: Headers) => {
    for (let url: string | undefined = rows; url;) url = await pageAt(url, given)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    times.packed.push(await processorTimeOf(server, () => readAll(headers)))
    times.plain.push(await processorTimeOf(server, () => readAll({ ...headers, 'accept-encoding': 'identity' })))
    times.file.push(await processorTimeOf(server, async () => void (await pageAt(file, headers))))
  }
  const [packed, plain, whole] = [at(times.packed, 0.5), at(times.plain, 0.5), at(times.file, 0.5)]
  const found = (time: number) => `${(whole / time).toFixed(2)} (${whole.toFixed(2)} / ${time.toFixed(2)} s)`
  return [
    { what: 'whole dataset, processor time of its JSON file ÷ pages', found: found(packed) },
    { what: 'the same, of pages without gzip', found: found(plain) },
  ]
}

async function processorTimeOf(server: ChildProcess, work: () => Promise<void>): Promise<number> {
  const before = processorTime(server)
  await work()
  return processorTime(server) - before
}

/** Seconds of a process in user and kernel mode. */
function processorTime({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function figuresOf({ rows, times }: Dataset, smallest: Dataset, size: number) {
  const what = (text: string) => `${rows.toLocaleString('en')} rows: ${text}`
  const growth = at(times.next, 0.5) / at(smallest.times.next, 0.5)
  const names = { next: 'next page', equal: 'filter by 1 value of 50,000', sorted: 'filter and sort' }
  const timed = (['next', 'equal', 'sorted'] as const).map((kind) => {
    const [p50, p95] = [at(times[kind], 0.5), at(times[kind], 0.95)]
    const found = { what: what(`${names[kind]}, median; p95`), found: `${p50.toFixed(1)}; ${p95.toFixed(1)} ms` }
    return kind === 'next' && rows <= NEXT_BAR.rows ? { ...found, bar: `≤ ${NEXT_BAR.ms} ms`, ok: p95 <= NEXT_BAR.ms } : found
  })
  if (size === 0) return timed
  const found = `${growth.toFixed(2)} ×`
  return [...timed, { what: what('next page of the smallest'), found, bar: `≤ ${GROWTH_BAR} ×`, ok: growth <= GROWTH_BAR }]
}

function ratesOf(rates: { ours: number[]; bare: number[]; perCore: number[] }) {
  const perCore = at(rates.perCore, 0.5)
  return [
    { what: `${READERS} readers: pages a second`, found: at(rates.ours, 0.5).toFixed(0) },
    { what: `${READERS} readers: pages a second of the server's processor`, found: perCore.toFixed(0) },
    { what: 'the same, of a bare server that sends a page without gzip', found: (perCore / at(rates.bare, 0.5)).toFixed(2) },
  ]
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? Number.NaN
}
