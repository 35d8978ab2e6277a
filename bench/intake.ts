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
import { exactCpuSeconds, familyCpuSeconds, settledMap, untilIdle } from './settled.ts'

const CONNECTIONS = 16
const SECONDS = Number(process.env['SECONDS'] ?? 8)
const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
/** The engine optimizes code for this long under such a load. */
const WARM_SECONDS = 6
const BAR = 0.5
const BARE = 'bench/bare-intake.ts'

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
  const single: Load[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    product.push(await measure(settings, 'build/server/index.js'))
    single.push(await measure(settings, BARE))
  }
  const [ours, theirs] = [product, single].map((loads) => median(loads.map(({ rate }) => rate)))
  const processor = (loads: Load[], part: 'ofServer' | 'ofDatabase') => median(loads.map((one) => one[part]))
  const micro = (loads: Load[]) => {
    const parts = [processor(loads, 'ofServer'), ...(url ? [processor(loads, 'ofDatabase')] : [])]
    return parts.map((seconds) => inWords(seconds * 1e6)).join(' + ')
  }
  const sum = (loads: Load[]) => processor(loads, 'ofServer') + processor(loads, 'ofDatabase')
  const ratio = sum(single) / sum(product)
  const perSecond = 1 / processor(product, 'ofServer')
  const inserts = url ? insertsPerSecond(url) : undefined
  return printFigures([
    { what: `${name}: processor time of an enquiry${url ? ', server + database' : ''}, µs`, found: micro(product) },
    { what: `${name}: the same of the bare server`, found: micro(single) },
    {
      what: `${name}: processor time of the bare server in that of the product`,
      found: ratio.toFixed(2),
      bar: `at least ${BAR}`,
      ok: ratio >= BAR,
    },
    { what: `${name}: enquiries per processor second of the server`, found: inWords(perSecond) },
    { what: `${name}: enquiries per second`, found: inWords(ours ?? 0) },
    { what: `${name}: the bare server`, found: inWords(theirs ?? 0) },
    { what: `${name}: median and 99th percentile, ms`, found: latencies(product) },
    { what: `${name}: the bare server's, ms`, found: latencies(single) },
    ...(inserts ? [{ what: `${name}: single durable inserts per second (pgbench)`, found: inWords(inserts) }] : []),
  ])
}

/** The rate is of the wall clock, so it needs an idle machine. Processor time, in seconds of one enquiry, depends less on other work. */
type Load = { rate: number; latencies: number[]; ofServer: number; ofDatabase: number }

async function measure(settings: Record<string, string>, program: string): Promise<Load> {
  const server = await startServer(settings, program)
  try {
    const { pid = 0 } = server
    if (program !== BARE) {
      // A new installation creates its sample datasets first.
      await settledMap(server.url)
      await untilIdle(pid)
    }
    await load(server.url, WARM_SECONDS)
    const before = [exactCpuSeconds(pid), familyCpuSeconds(postgres.pid)] as const
    const found = await load(server.url, SECONDS)
    const ofServer = exactCpuSeconds(pid) - before[0]
    const ofDatabase = settings['DATABASE_URL'] ? since(before[1], familyCpuSeconds(postgres.pid)) : 0
    const count = found.latencies.length
    return { ...found, ofServer: ofServer / count, ofDatabase: ofDatabase / count }
  } finally {
    await server.stop()
  }
}

function since(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): number {
  return [...now].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)
}

async function load(url: string, seconds: number): Promise<Pick<Load, 'rate' | 'latencies'>> {
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
