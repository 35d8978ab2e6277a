// Free times of 60 days for 3 hosts in 3 zones with 500 calls and 5 feeds of 200 events: the latency of the endpoint, one request after the other; and requests for /book, while times are held and given up, against a page that never changes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '#test/e2e/server.ts'
import { onEmbedded } from './engine.ts'
import { printFigures } from './figures.ts'

const REQUESTS = Number(process.env['REQUESTS'] ?? 400)
const BAR_MS = 30
/** Of the requests for a page that never changes, per second of processor time. */
const PAGE_BAR = 0.5
const PAGE_ROUNDS = 5
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
const hostId = (host: number | string) => `0195f000-0000-7000-8000-00000000000${host}`

const setUp = [
  ...zones.flatMap((zone, host) => [
    `INSERT INTO users (id, email, email_confirmed_at, app_metadata) VALUES ('${hostId(host)}', 'host-${host}@winnow.example', now(), '{"role":"staff"}')`,
    `INSERT INTO booking_hosts (user_id, name, zone, hours, notice_minutes, horizon_days, buffer_before_minutes, buffer_after_minutes, daily_cap)
      SELECT '${hostId(host)}', 'Host ${host}', '${zone}', jsonb_agg('[{"from":"09:00","until":"17:00"}]'::jsonb), 240, 60, 0, 10, 12 FROM generate_series(1, 7)`,
  ]),
  `INSERT INTO bookings (id, host_id, status, starts_at, ends_at, blocked_from, blocked_until)
    SELECT gen_random_uuid(), ('${hostId('')}' || turn % 3)::uuid, 'booked', at, at + interval '30 minutes', at, at + interval '40 minutes'
    FROM (SELECT turn, date_trunc('hour', now()) + turn * interval '170 minutes' AS at FROM generate_series(1, 500) AS turn) AS calls`,
  `INSERT INTO booking_feeds (id, host_id, label, url_sealed) SELECT ('${hostId('')}' || 4 + feed)::uuid, ('${hostId('')}' || feed % 3)::uuid, 'Feed', ''
    FROM generate_series(0, 4) AS feed`,
  `INSERT INTO booking_busy (id, host_id, feed_id, starts_at, ends_at)
    SELECT gen_random_uuid(), ('${hostId('')}' || feed % 3)::uuid, ('${hostId('')}' || 4 + feed)::uuid, at, at + interval '1 hour'
    FROM (SELECT feed, now() + (turn * 7 + feed) * interval '1 hour' AS at FROM generate_series(0, 4) AS feed, generate_series(1, 200) AS turn) AS events`,
]

const dataDir = mkdtempSync(path.join(tmpdir(), 'winnow-slots-'))
const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
let server = await startServer(settings)
try {
  await server.stop()
  await onEmbedded(dataDir).ask(async (run) => {
    for (const statement of setUp) await run(statement)
  })
  server = await startServer(settings)
  const range = new URLSearchParams({ from: new Date().toISOString(), to: new Date(Date.now() + 60 * 24 * 3_600_000).toISOString() })
  const times: number[] = []
  const before = processorMs(server.pid)
  let slots = 0
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    const began = performance.now()
    const reply: { slots: unknown[] } = await (await fetch(`${server.url}/api/booking/slots?${range}`)).json()
    times.push(performance.now() - began)
    slots = reply.slots.length
  }
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity
  const processorShare = (processorMs(server.pid) - before) / REQUESTS
  const { book, still, perSecond } = await measurePage()
  const passed = printFigures([
    { what: 'free times found', found: String(slots) },
    { what: 'load of the machine', found: (loadavg()[0] ?? 0).toFixed(1) },
    { what: 'processor time of a request, ms', found: processorShare.toFixed(1) },
    { what: 'median, ms', found: at(0.5).toFixed(1) },
    { what: '95th percentile, ms', found: at(0.95).toFixed(1), bar: `at most ${BAR_MS}`, ok: at(0.95) <= BAR_MS },
    { what: 'requests for /book per CPU-second, times changing twice a second', found: book.toFixed(0) },
    { what: 'requests for /about per CPU-second', found: still.toFixed(0) },
    { what: 'their ratio', found: (book / still).toFixed(2), bar: `at least ${PAGE_BAR}`, ok: book / still >= PAGE_BAR },
    { what: 'requests for /book per second', found: perSecond.toFixed(0), bar: 'at least 200', ok: perSecond >= 200 },
  ])
  process.exitCode = passed ? 0 : 1
} finally {
  await server.stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

/** Requests per CPU-second, the median of some rounds in turn, because another program can have the processor for a while. */
async function measurePage() {
  const rounds = []
  for (let round = 0; round < PAGE_ROUNDS; round += 1) {
    let isOver = false
    const changes = (async () => {
      // The lines below end it.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (!isOver) await holdAndRelease()
    })()
    const book = await ask('/book')
    isOver = true
    await changes
    rounds.push({ book, still: await ask('/about') })
  }
  const middle = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
  return {
    book: middle(rounds.map(({ book }) => book.perCpuSecond)),
    still: middle(rounds.map(({ still }) => still.perCpuSecond)),
    perSecond: middle(rounds.map(({ book }) => book.perSecond)),
  }
}

async function ask(page: string) {
  const [began, beganCpu] = [performance.now(), processorMs(server.pid)]
  const end = began + 3000
  let requests = 0
  const visitor = async () => {
    for (; performance.now() < end; requests += 1) {
      const reply = await fetch(server.url + page)
      if (reply.status !== 200) throw new Error(`${page} ${reply.status}`)
      await reply.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 32 }, visitor))
  return {
    perCpuSecond: (requests * 1000) / (processorMs(server.pid) - beganCpu),
    perSecond: (requests * 1000) / (performance.now() - began),
  }
}

/** Each clears the cached page of free times. */
async function holdAndRelease() {
  const day = 24 * 3_600_000
  const range = new URLSearchParams({
    from: new Date(Date.now() + 20 * day).toISOString(),
    to: new Date(Date.now() + 27 * day).toISOString(),
  })
  const { slots }: { slots: { startsAt: string }[] } = await (await fetch(`${server.url}/api/booking/slots?${range}`)).json()
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const body = JSON.stringify({ startsAt: slots[0]?.startsAt })
  const reply = await fetch(`${server.url}/api/booking/holds`, { method: 'POST', headers, body })
  if (reply.status !== 201) throw new Error(await reply.text())
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const { id }: { id: string } = await reply.json()
  await sleep(500)
  await fetch(`${server.url}/api/booking/holds/${id}`, { method: 'DELETE', headers: { ...headers, cookie }, body: '{}' })
  await sleep(500)
}

/** Of all threads of a process, in ticks of 10 ms (Linux). Unlike the latency, it is the same on a busy machine. */
function processorMs(pid: number | undefined): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
