// Three processes behind nginx, each with a data folder of its own, while processes and PostgreSQL are killed, stopped and replaced: failed requests, and whether each acknowledged enquiry is there once.
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort, installByApt } from '#test/postgres.ts'
import { startNginxSite } from '#test/web-server.ts'
import { startPair } from './postgres-pair.ts'
import { end, serve } from './serve.ts'

const SENDERS = Number(process.env['SENDERS'] ?? 8)
/** How long PostgreSQL is stopped. */
const AWAY_MS = Number(process.env['AWAY_MS'] ?? 30_000)
/** Of each sender, times their number: they offer the same load, however many they are. */
const PAUSE_MS = 2.5
/** How long connections are used up. */
const BUSY_MS = 10_000
/** nginx leaves a server out for 10 seconds after a refused connection. */
const AGAIN_MS = 11_000

type Scenario = {
  about: string
  /** Whether a request may fail. */
  bar: 'none fails' | 'only requests in flight fail' | '503 while the database is away'
  run: () => Promise<void>
  senders?: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-many-'))
const database = await startPair()
const ports = [await freePort(), await freePort(), await freePort()]
const processes = new Map<number, ChildProcess>()
const acknowledged = new Set<string>()
let sent = 0
const scenarios: Scenario[] = [
  { about: 'rolling restart of all three', bar: 'none fails', run: () => inTurn(restart, AGAIN_MS) },
  { about: 'kill -9 of each in turn, every 5 s', bar: 'only requests in flight fail', run: () => inTurn(killAndStart, 5000) },
  { about: 'the clock of one is 90 s ahead', bar: 'none fails', run: () => withOther(2, wrongClock()) },
  { about: 'the disk of one is full', bar: 'none fails', run: fullDisk },
  { about: 'PostgreSQL restarts (immediate)', bar: '503 while the database is away', run: () => databaseAway(0) },
  { about: `PostgreSQL is stopped for ${AWAY_MS / 1000} s`, bar: '503 while the database is away', run: () => databaseAway(AWAY_MS) },
  { about: 'PostgreSQL has no connection left for 10 s', bar: '503 while the database is away', run: takeConnections },
  {
    about: 'all connections of the processes wait for a lock for 10 s',
    bar: '503 while the database is away',
    run: lockEnquiries,
    senders: 60,
  },
  { about: 'PostgreSQL dies, its streaming replica is promoted', bar: '503 while the database is away', run: failOver },
]

// nginx starts last: it leaves out a process for 10 seconds whose port it found closed.
await begin(0)
await Promise.all([begin(1), begin(2)])
const nginx = await startNginxSite((_folder, port) =>
  readFileSync('deploy/nginx.conf', 'utf8')
    .replace(/server \{\n {2}listen 80;.*?\n\}\n/s, '')
    .replaceAll(/ {2}ssl_.*\n/g, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replaceAll(/127\.0\.0\.1:300(\d)/g, (_all, at: string) => `127.0.0.1:${ports[Number(at) - 1] ?? 0}`),
)

try {
  const results: boolean[] = []
  for (const scenario of scenarios.filter(({ about }) => about.includes(process.env['ONLY'] ?? ''))) results.push(await measure(scenario))
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await Promise.all([...processes.values()].map(end))
  await nginx.stop()
  database.end()
  rmSync(folder, { recursive: true, force: true })
}

async function measure({ about, bar, run, senders: count = SENDERS }: Scenario): Promise<boolean> {
  const heard = new Map<string, number>()
  const over = new AbortController()
  let lastFailure = 0
  const senders = Array.from({ length: count }, async (_, sender) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = sender; !over.signal.aborted; turn += 1) {
      const status = await (turn % 2 === 0 ? sendEnquiry(agent) : send(agent, 'GET', turn % 4 === 1 ? '/' : '/api/blog'))
      heard.set(status, (heard.get(status) ?? 0) + 1)
      if (!isFine(status)) lastFailure = performance.now()
      await sleep(count * PAUSE_MS)
    }
    agent.destroy()
  })
  await sleep(1000)
  await run()
  const ended = performance.now()
  await sleep(3000)
  over.abort()
  await Promise.all(senders)
  const all = [...heard.values()].reduce((sum, count) => sum + count, 0)
  const failed = [...heard].filter(([status]) => !isFine(status))
  const failures = failed.reduce((sum, [, each]) => sum + each, 0)
  const { lost, twice } = await compare()
  const isHeld =
    lost === 0 &&
    twice === 0 &&
    (bar === 'none fails'
      ? failures === 0
      : bar === 'only requests in flight fail'
        ? failures <= 3 * count
        : lastFailure < ended + 2000 && failed.every(([status]) => status === '503'))
  const words = failed.map(([status, each]) => `${each} × ${status}`).join(', ') || 'none'
  process.stdout.write(
    `${isHeld ? '✓' : '✗'} ${about}: ${all} requests, failed: ${words} (bar: ${bar}); ${acknowledged.size} acknowledged enquiries, ${lost} lost, ${twice} twice\n`,
  )
  return isHeld
}

function isFine(status: string): boolean {
  return status === '200' || status === '201'
}

/** Compares the acknowledged enquiries with the rows of the database, and with the emails to their visitors: one for each. */
async function compare(): Promise<{ lost: number; twice: number }> {
  const client = new Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ email: string; count: number }>(
    `SELECT email, greatest(enquiries, emails) AS count FROM
      (SELECT people.email, count(*)::int AS enquiries FROM contacts JOIN people ON people.id = contacts.person_id GROUP BY people.email) AS sent
      JOIN (SELECT payload->>'to' AS email, count(*)::int AS emails FROM jobs WHERE kind = 'letter' GROUP BY 1) AS told USING (email)`,
  )
  await client.end()
  const counts = new Map(rows.map(({ email, count }) => [email, count]))
  const lost = [...acknowledged].filter((email) => !counts.has(email)).length
  return { lost, twice: rows.filter(({ count }) => count > 1).length }
}

async function begin(at: number, settings: NodeJS.ProcessEnv = {}) {
  const common = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, String(at)), MASTER_KEY: 'b'.repeat(40), LOG_LEVEL: 'fatal' }
  processes.set(at, await serve(`http://127.0.0.1:${ports[at] ?? 0}`, { ...common, ...settings }))
}

async function stop(at: number) {
  const child = processes.get(at)
  processes.delete(at)
  if (child) await end(child)
}

async function inTurn(work: (at: number) => Promise<void>, pause: number) {
  for (const at of [0, 1, 2]) {
    await work(at)
    await sleep(pause)
  }
}

async function restart(at: number) {
  await stop(at)
  await begin(at)
}

async function killAndStart(at: number) {
  const child = processes.get(at)
  child?.kill('SIGKILL')
  if (child) await once(child, 'exit')
  await begin(at)
}

/** Lets one process run for a while under other settings. */
async function withOther(at: number, settings: NodeJS.ProcessEnv, meanwhile = async () => {}) {
  await stop(at)
  await begin(at, settings)
  await sleep(AGAIN_MS)
  await meanwhile()
  await sleep(5000)
  await stop(at)
  await begin(at)
}

function wrongClock(): NodeJS.ProcessEnv {
  const find = () => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]
  if (!find()) installByApt('libfaketime')
  const library = find()
  if (!library) throw new Error('This bench needs libfaketime.')
  return { LD_PRELOAD: library, FAKETIME: '+90s', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

async function fullDisk() {
  const small = path.join(folder, 'small')
  mkdirSync(small)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', small])
  try {
    await withOther(2, { DATA_DIR: small }, async () => fill(path.join(small, 'filler')))
  } finally {
    spawnSync('umount', ['-l', small])
  }
}

function fill(file: string) {
  try {
    writeFileSync(file, Buffer.alloc(8 * 1024 ** 2))
  } catch {
    // That is the point.
  }
}

async function databaseAway(ms: number) {
  database.stop()
  await sleep(ms)
  database.start()
  await sleep(3000)
}

/** Connections that are open already stay so; each process opens more under load, and after a pause. */
async function takeConnections() {
  const taken: Client[] = []
  try {
    for (let isRoom = true; isRoom;) {
      const client = new Client(database.url)
      client.on('error', () => undefined)
      isRoom = await client.connect().then(
        () => true,
        () => false,
      )
      if (isRoom) taken.push(client)
    }
    await sleep(BUSY_MS)
  } finally {
    await Promise.all(taken.map((client) => client.end()))
  }
}

/** Every enquiry takes a connection of its process and waits. There are twice as many as connections. */
async function lockEnquiries() {
  const client = new Client(database.url)
  await client.connect()
  await client.query('BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE')
  await sleep(BUSY_MS)
  await client.query('COMMIT')
  await client.end()
}

async function failOver() {
  database.makeReplica()
  await sleep(3000)
  database.failOver()
  await sleep(3000)
}

async function sendEnquiry(agent: Agent): Promise<string> {
  sent += 1
  const email = `ada-${sent}@analytical.example`
  const body = JSON.stringify({
    form: 'contact',
    name: 'Ada',
    email,
    country: 'France',
    problem: 'Lead Generation',
    message: `Prices of shop ${sent}, every morning, as a table.`,
  })
  const status = await send(agent, 'POST', '/api/contact', body)
  if (status === '201') acknowledged.add(email)
  return status
}

function send(agent: Agent, method: string, where: string, body = ''): Promise<string> {
  const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve) => {
    const asked = request(nginx.url + where, { method, agent, headers }, (reply) => {
      reply
        .resume()
        .once('end', () => resolve(String(reply.statusCode)))
        .once('error', () => resolve('cut'))
    })
    asked.once('error', (error) => resolve(error.message))
    asked.end(body)
  })
}
