// Posts: 10,000 random changes against a model on both engines; scheduled posts while processes are killed; the delay until one process shows a post that another publishes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServer } from '#test/e2e/server.ts'
import { freePort, startPostgres } from '#test/postgres.ts'
import { printFigures } from './figures.ts'
import { signUpOwner } from './owner.ts'

const OPERATIONS = Number(process.env['OPERATIONS'] ?? 10_000)
const KILLS = Number(process.env['KILLS'] ?? 12)
const ROUNDS = Number(process.env['ROUNDS'] ?? 40)
const LATE_BAR_MS = 5_000
const SHOWN_BAR_MS = 1_000

type Headers = Record<string, string>
type Life = { done: Record<string, number>; mistakes: string[]; revisions: number }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-posts-'))
const common = { RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' }
const postgres = await startPostgres()
const running = new Set<Server>()
let made = 0
try {
  const figures = [
    ...(await compareWithModel('embedded', { DATA_DIR: path.join(folder, 'model') })),
    ...(await compareWithModel('PostgreSQL', { DATA_DIR: path.join(folder, 'model-pg'), DATABASE_URL: postgres.url })),
    ...(await killBeforeTheTime()),
    ...(await publishElsewhere()),
  ]
  process.exitCode = printFigures(figures) ? 0 : 1
} finally {
  for (const server of running) await server.stop('SIGKILL')
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function compareWithModel(engine: string, settings: Record<string, string>) {
  // Creates the tables.
  const server = await start({ ...common, ...settings })
  await server.stop()
  const seed = Math.floor(Math.random() * 1e9)
  const env = { ...process.env, ...common, ...settings }
  const began = performance.now()
  const output = execFileSync(process.execPath, ['bench/post-operations.ts', String(seed), String(OPERATIONS)], { env, encoding: 'utf8' })
  const { done, mistakes, revisions }: Life = JSON.parse(output)
  for (const mistake of mistakes) process.stdout.write(`  ${mistake}\n`)
  const kinds = Object.entries(done).map(([name, count]) => `${name} ${count}`)
  process.stdout.write(`  ${engine}, seed ${seed}, ${((performance.now() - began) / 1000).toFixed(0)} s: ${kinds.join(', ')}\n`)
  const what = `${engine}: ${OPERATIONS} random operations, ${revisions} versions: differences from the model`
  return [{ what, found: String(mistakes.length), bar: '0', ok: mistakes.length === 0 }]
}

/** One process, killed at any moment before or after the time of a post. A visitor's repeated requests fill the page cache. */
async function killBeforeTheTime() {
  // A fixed address, because tokens contain it.
  const settings = { ...common, DATA_DIR: path.join(folder, 'schedule'), PORT: String(await freePort()) }
  let server = await start(settings)
  const headers = await signUpOwner(server.url)
  const late: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const due = Date.now() + 4_000
    const slug = await publish(server, headers, { publishedAt: new Date(due).toISOString() })
    if ((await shows(server, slug)) !== 'nothing') throw new Error('A post is shown before its time.')
    await sleep(Math.random() * 4_500)
    await server.stop('SIGKILL')
    running.delete(server)
    server = await start(settings)
    const restarted = Date.now()
    while ((await shows(server, slug)) !== 'all') await sleep(20)
    if (Date.now() < due) throw new Error('A post is shown before its time.')
    late.push(Date.now() - Math.max(due, restarted))
  }
  // Once more without a kill, so that a page cached before that time has to be cleared.
  for (let round = 0; round < 4; round += 1) {
    const due = Date.now() + 2_000
    const slug = await publish(server, headers, { publishedAt: new Date(due).toISOString() })
    while ((await shows(server, slug)) !== 'all') await sleep(20)
    late.push(Date.now() - due)
  }
  await server.stop()
  const worst = Math.max(...late)
  const what = `posts that waited, ${KILLS} × kill -9: shown after their time, or after the start, at most`
  return [{ what, found: `${worst} ms`, bar: `≤ ${LATE_BAR_MS} ms`, ok: worst <= LATE_BAR_MS }]
}

/** Two processes on one database: one publishes, the other serves cached pages. */
async function publishElsewhere() {
  const url = postgres.url
  const [one, other] = [
    await start({ ...common, DATABASE_URL: url, DATA_DIR: path.join(folder, 'one') }),
    await start({ ...common, DATABASE_URL: url, DATA_DIR: path.join(folder, 'one') }),
  ]
  const headers = await signUpOwner(one.url)
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await shows(other, 'none')
    const slug = await publish(one, headers, {})
    const began = performance.now()
    while ((await shows(other, slug)) !== 'all') await sleep(2)
    taken.push(performance.now() - began)
  }
  for (const server of [one, other]) await server.stop()
  const worst = Math.max(...taken)
  const what = `published at one process, shown by another (page and list), ${ROUNDS} times, at most`
  return [{ what, found: `${worst.toFixed(0)} ms`, bar: `≤ ${SHOWN_BAR_MS} ms`, ok: worst <= SHOWN_BAR_MS }]
}

async function start(settings: Record<string, string>): Promise<Server> {
  const server = await startServer(settings)
  running.add(server)
  return server
}

/** Where a post is visible: on its own page and in the list, on one of them, or on neither. */
async function shows(server: Server, slug: string): Promise<'all' | 'some' | 'nothing'> {
  const [page, list] = await Promise.all([fetch(`${server.url}/blog/${slug}`), fetch(`${server.url}/blog`).then((reply) => reply.text())])
  await page.arrayBuffer()
  const found = [page.status === 200, list.includes(`/blog/${slug}"`)].filter(Boolean).length
  return found === 2 ? 'all' : found === 1 ? 'some' : 'nothing'
}

async function publish(server: Server, headers: Headers, given: object): Promise<string> {
  made += 1
  const slug = `post-number-${made}`
  const body = JSON.stringify({ title: `Number ${made}`, slug, content: 'Some words.', published: true, ...given })
  const reply = await fetch(`${server.url}/api/blog`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  if (reply.status !== 201) throw new Error(`A post was answered by ${reply.status}: ${await reply.text()}`)
  return slug
}
