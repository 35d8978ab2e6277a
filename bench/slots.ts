// Free times of 60 days for 3 hosts in 3 zones with 500 calls and 5 feeds of 200 events: the latency of the endpoint, one request after the other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '#test/e2e/server.ts'
import { onEmbedded } from './engine.ts'
import { printFigures } from './figures.ts'

const REQUESTS = Number(process.env['REQUESTS'] ?? 400)
const BAR_MS = 30
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
  const passed = printFigures([
    { what: 'free times found', found: String(slots) },
    { what: 'load of the machine', found: (loadavg()[0] ?? 0).toFixed(1) },
    { what: 'processor time of a request, ms', found: ((processorMs(server.pid) - before) / REQUESTS).toFixed(1) },
    { what: 'median, ms', found: at(0.5).toFixed(1) },
    { what: '95th percentile, ms', found: at(0.95).toFixed(1), bar: `at most ${BAR_MS}`, ok: at(0.95) <= BAR_MS },
  ])
  process.exitCode = passed ? 0 : 1
} finally {
  await server.stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

/** Of all threads of a process, in ticks of 10 ms (Linux). Unlike the latency, it is the same on a busy machine. */
function processorMs(pid: number | undefined): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
