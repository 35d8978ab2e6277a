// 1,000 rounds of 20 contests for one time (bookings, overlapping bookings, changes, holds), embedded and on PostgreSQL with two processes; then kill -9 at random.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ask, contestsAt, COUNT_OVERLAPS, faultsOf, setUp } from '#test/collisions.ts'
import { type Server, startServer } from '#test/e2e/server.ts'
import { startPostgres } from '#test/postgres.ts'
import { type Engine, onEmbedded, onPostgres } from './engine.ts'
import { printFigures } from './figures.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 1000)
const KILLS = Number(process.env['KILLS'] ?? 30)
const common = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', OWNER_EMAIL: 'owner@example.com' }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-collisions-'))
const postgres = await startPostgres({ durable: true })
const servers = new Set<Server>()
try {
  const engines: [Engine, number][] = [
    [onEmbedded(path.join(folder, 'embedded')), 1],
    [onPostgres(postgres.url, path.join(folder, 'files')), 2],
  ]
  const asked = process.env['ENGINE']
  for (const [engine, processes] of engines.filter(([{ name }]) => asked === undefined || asked === name)) {
    if (!(await measure(engine, processes))) process.exitCode = 1
  }
} finally {
  for (const server of servers) await server.stop('SIGKILL')
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(engine: Engine): Promise<Server> {
  const server = await startServer({ ...common, ...engine.env })
  servers.add(server)
  return server
}

async function end(server: Server | undefined, signal?: 'SIGKILL') {
  if (!server) return
  servers.delete(server)
  await server.stop(signal)
}

async function measure(engine: Engine, processes: number): Promise<boolean> {
  await end(await start(engine))
  await engine.ask(async (run) => {
    for (const statement of setUp) await run(statement)
  })
  const running = [await start(engine)]
  for (let more = 1; more < processes; more += 1) running.push(await start(engine))
  const ask: Ask = async (request, sender) => send(running[sender % processes]?.url ?? '', request)
  const contests = Object.entries(contestsAt(ask))
  const faults = new Map(contests.map(([name]) => [name, 0]))
  const began = performance.now()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, contest] of contests) {
      const outcome = await contest(round)
      const found = faultsOf(outcome)
      if (found.length > 0) process.stderr.write(`  ${engine.name}, ${name}, round ${round}: ${found.join()}\n`)
      faults.set(name, (faults.get(name) ?? 0) + found.length)
      await outcome.clear()
    }
    if (round % 100 === 99) process.stderr.write(`  ${engine.name}: ${round + 1} rounds\n`)
  }
  const seconds = (performance.now() - began) / 1000
  const overlaps = await killAtRandom(engine, running)
  return printFigures([
    { what: `${engine.name}, processes`, found: String(processes) },
    ...contests.map(([name]) => ({
      what: `rounds of 20 ${name} without exactly one winner`,
      found: `${faults.get(name)} of ${ROUNDS}`,
      bar: '0',
      ok: faults.get(name) === 0,
    })),
    { what: 'seconds', found: seconds.toFixed(0) },
    { what: `calls at the same time, after ${KILLS} × kill -9`, found: String(overlaps.overlaps), bar: '0', ok: overlaps.overlaps === 0 },
    { what: 'confirmed bookings', found: String(overlaps.confirmed) },
    { what: 'confirmed bookings that are lost', found: String(overlaps.lost), bar: '0', ok: overlaps.lost === 0 },
  ])
}

/** Contests go on while processes are killed. Each confirmed booking must be there, and none twice. */
async function killAtRandom(engine: Engine, running: Server[]) {
  const confirmed = new Set<string>()
  let isOver = false
  const ask: Ask = async (request, sender) => {
    const server = running[sender % running.length]
    const reply = await send(server?.url ?? '', request).catch(() => ({ status: 0, body: undefined }))
    if (reply.status === 201) confirmed.add(String(Reflect.get(Object(reply.body), 'id')))
    return reply
  }
  const { 'bookings of one time': book, 'bookings of overlapping times': bookOverlapping } = contestsAt(
    ask,
    Date.now() + 10 * 24 * 3_600_000,
  )
  const contests = (async () => {
    // The loop below ends it.
    // oxlint-disable-next-line no-unmodified-loop-condition
    for (let round = 0; !isOver; round += 1) await (round % 2 === 0 ? book : bookOverlapping)(round)
  })()
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(100 + Math.random() * 700)
    const at = kill % running.length
    await end(running[at], 'SIGKILL')
    running[at] = await start(engine)
  }
  isOver = true
  await contests
  for (const server of running) await end(server)
  let overlaps = 0
  let lost = 0
  await engine.ask(async (run) => {
    overlaps = Number((await run(COUNT_OVERLAPS))[0]?.['overlaps'])
    const kept = new Set((await run(`SELECT id FROM bookings WHERE status = 'booked'`)).map(({ id }) => String(id)))
    lost = [...confirmed].filter((id) => !kept.has(id)).length
  })
  return { overlaps, lost, confirmed: confirmed.size }
}

async function send(base: string, { method, path: url, body, cookie }: Parameters<Ask>[0]) {
  const headers = { 'sec-fetch-site': 'same-origin', ...(body && { 'content-type': 'application/json' }), ...(cookie && { cookie }) }
  const reply = await fetch(base + url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await reply.text()
  const [given] = reply.headers.getSetCookie()
  return { status: reply.status, body: text ? JSON.parse(text) : undefined, cookie: given?.split(';')[0] }
}
