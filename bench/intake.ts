// POST /api/contact sustained by 16 connections, against a bare server that runs the same statements on the same database.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '#test/e2e/server.ts'
import { postgresTools, startPostgres } from '#test/postgres.ts'
import { type Engine, onEmbedded, onPostgres } from './engine.ts'
import { printFigures } from './figures.ts'
import { settledMap } from './settled.ts'

const CONNECTIONS = 16
const SECONDS = Number(process.env['SECONDS'] ?? 8)
const ROUNDS = Number(process.env['ROUNDS'] ?? 4)
const BAR = 0.7

let sent = 0
const started = Date.now()

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-intake-'))
const postgres = await startPostgres({ durable: true })
try {
  const met = [
    await compare(onPostgres(postgres.url, path.join(folder, 'postgres'))),
    await compare(onEmbedded(path.join(folder, 'embedded'))),
  ]
  process.exitCode = met.every(Boolean) ? 0 : 1
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compare({ name, env, url }: Engine): Promise<boolean> {
  const settings = { ...env, RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
  const product: Load[] = []
  const bare: Load[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // A new installation creates its sample datasets first.
    product.push(await measure(settings, 'build/server/index.js', settledMap))
    bare.push(await measure(settings, 'bench/bare-intake.ts'))
  }
  const [ours, theirs] = [median(product.map(({ rate }) => rate)), median(bare.map(({ rate }) => rate))]
  const ratio = ours / theirs
  const single = url ? insertsPerSecond(url) : undefined
  return printFigures([
    { what: `${name}: enquiries per second`, found: inWords(ours) },
    { what: `${name}: the bare server`, found: inWords(theirs) },
    { what: `${name}: ratio`, found: ratio.toFixed(2), bar: `at least ${BAR}`, ok: ratio >= BAR },
    { what: `${name}: median and 99th percentile, ms`, found: latencies(product) },
    { what: `${name}: the bare server's, ms`, found: latencies(bare) },
    ...(single ? [{ what: `${name}: single durable inserts per second (pgbench)`, found: inWords(single) }] : []),
    ...(single ? [{ what: `${name}: enquiries to single inserts`, found: (ours / single).toFixed(2) }] : []),
  ])
}

type Load = { rate: number; latencies: number[] }
type Settle = (url: string) => Promise<unknown>

async function measure(settings: Record<string, string>, program: string, settle: Settle = async () => undefined): Promise<Load> {
  const server = await startServer(settings, program)
  try {
    await settle(server.url)
    await load(server.url, 1.5)
    return await load(server.url, SECONDS)
  } finally {
    await server.stop()
  }
}

async function load(url: string, seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: number[] = []
  const begun = performance.now()
  const end = begun + seconds * 1000
  const connection = async () => {
    while (performance.now() < end) times.push(await send(url, agent))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return { rate: times.length / ((performance.now() - begun) / 1000), latencies: times }
}

/** Sends one enquiry and returns the milliseconds until its receipt arrived. */
function send(url: string, agent: Agent): Promise<number> {
  sent += 1
  const email = `ada-${started}-${sent}@example.com`
  const body = JSON.stringify({
    name: 'Ada Lovelace',
    email,
    country: 'United Kingdom',
    problem: 'Prices',
    message: `About lot ${sent}, please.`,
  })
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(`${url}/api/contact`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume().once('end', () => {
        if (reply.statusCode === 201) resolve(performance.now() - begun)
        else reject(new Error(`answered by ${reply.statusCode}`))
      })
    })
    asked.once('error', reject).end(body)
  })
}

/** The minimum cost of a durable enquiry: one row, one commit. */
function insertsPerSecond(url: string): number {
  const script = path.join(folder, 'insert.sql')
  writeFileSync(script, `INSERT INTO people (id, email, name) VALUES (gen_random_uuid(), gen_random_uuid()::text, 'Ada');\n`)
  const args = ['-n', '-c', String(CONNECTIONS), '-j', '2', '-T', String(SECONDS), '-M', 'prepared', '-f', script, url]
  const output = execFileSync(path.join(postgresTools(), 'pgbench'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return Number(/tps = ([\d.]+)/.exec(output)?.[1])
}

function latencies(loads: Load[]): string {
  const all = loads.flatMap((one) => one.latencies).toSorted((one, other) => one - other)
  const at = (share: number) => (all[Math.floor(all.length * share)] ?? 0).toFixed(1)
  return `${at(0.5)}, ${at(0.99)}`
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function inWords(value: number): string {
  return Math.round(value).toLocaleString('en')
}
