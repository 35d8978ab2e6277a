// Free times of 60 days for 3 hosts in 3 zones with 500 calls and 5 feeds of 200 events: the latency of the endpoint, one request after the other, while times change twice a second; and requests for /book, while times are held and given up, against a page that never changes.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installByApt } from '#test/postgres.ts'
import { startServer } from '#test/e2e/server.ts'
import { onEmbedded } from './engine.ts'
import { printFigures } from './figures.ts'

const REQUESTS = Number(process.env['REQUESTS'] ?? 400)
const BAR_MS = 30
/** Between two requests for free times: about one in ten is the first after a change. */
const PAUSE_MS = 40
/** Of the requests for a page that never changes, per second of processor time. */
const PAGE_BAR = 0.5
const PAGE_ROUNDS = 5
const PAGE_SECONDS = 4
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
const hostId = (host: number | string) => `0195f000-0000-7000-8000-00000000000${host}`

const setUp = [
  ...zones.flatMap((zone, host) => [
    `INSERT INTO users (id, email, email_confirmed_at, app_metadata) VALUES ('${hostId(host)}', 'host-${host}@winnow.example', now(), '{"role":"staff"}')`,
    `INSERT INTO booking_hosts (user_id, name, zone, hours, notice_minutes, horizon_days, buffer_before_minutes, buffer_after_minutes, daily_cap,
      confirmed_at)
      SELECT '${hostId(host)}', 'Host ${host}', '${zone}', jsonb_agg('[{"from":"09:00","until":"17:00"}]'::jsonb), 240, 60, 0, 10, 12, now() FROM generate_series(1, 7)`,
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

if (spawnSync('wrk', ['-v']).error) installByApt('wrk')
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
  await whileTimesChange(async () => {
    for (let turn = 0; turn < REQUESTS; turn += 1) {
      const began = performance.now()
      const reply: { slots: unknown[] } = await (await fetch(`${server.url}/api/booking/slots?${range}`)).json()
      times.push(performance.now() - began)
      slots = reply.slots.length
      // As real visitors: a change of the times between two of them is nothing rare.
      await sleep(PAUSE_MS)
    }
  })
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity
  const processorShare = (processorMs(server.pid) - before) / REQUESTS
  const { book, still, perSecond } = await measurePage()
  const passed = printFigures([
    { what: 'free times found', found: String(slots) },
    { what: 'load of the machine', found: (loadavg()[0] ?? 0).toFixed(1) },
    { what: 'processor time of a request, ms', found: processorShare.toFixed(1) },
    { what: 'longest, ms', found: at(1 - 1 / sorted.length).toFixed(1) },
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
    const book = await whileTimesChange(() => ask('/book'))
    rounds.push({ book, still: await ask('/about') })
  }
  const middle = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
  return {
    book: middle(rounds.map(({ book }) => book.perCpuSecond)),
    still: middle(rounds.map(({ still }) => still.perCpuSecond)),
    perSecond: middle(rounds.map(({ book }) => book.perSecond)),
  }
}

/** As many requests as the server can take: the processor time that changes cost is shared by all of them. */
async function ask(page: string) {
  const beganCpu = processorMs(server.pid)
  const compressed = ['-H', 'Accept-Encoding: gzip, deflate, br']
  const args = ['-t', '1', '-c', '32', '-d', `${PAGE_SECONDS}s`, '--timeout', '10s', ...compressed, server.url + page]
  const { stdout } = await promisify(execFile)('wrk', args)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (!requests || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return { perCpuSecond: (requests * 1000) / (processorMs(server.pid) - beganCpu), perSecond: requests / PAGE_SECONDS }
}

/** Runs work while a time is held or given up twice a second. */
async function whileTimesChange<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false
  const changes = (async () => {
    // The lines below end it.
    // oxlint-disable-next-line no-unmodified-loop-condition
    while (!isOver) await holdAndRelease()
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await changes
  }
}

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
