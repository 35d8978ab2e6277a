import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openedDatabase } from '#app/platform/database/db.server.ts'
import { expose, HistogramMetric, type Metric, type Sample } from './exposition.ts'
import { countJobs } from '#app/platform/jobs.server.ts'

const answers = new HistogramMetric([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
const ready = { page: new Map<number, number>(), file: new Map<number, number>() }
/** In nanoseconds, since the last reading. */
const delay = monitorEventLoopDelay({ resolution: 20 })

/** Counts a cached response. */
export function countStaticResponse(kind: keyof typeof ready, status: number) {
  ready[kind].set(status, (ready[kind].get(status) ?? 0) + 1)
}

/** Counts a response made for one request. */
export function noteAnswer(method: string, route: string, status: number, milliseconds: number) {
  answers.observe({ method, route, status }, milliseconds / 1000)
}

/** Starts measuring the delay of the event loop. */
export function measureEventLoop() {
  delay.enable()
}

/** All metrics in Prometheus' text format, with its names and its units: seconds and bytes. */
export async function readMetrics(): Promise<string> {
  const work = await countJobs().catch(() => ({}))
  return expose([
    {
      name: 'http_request_duration_seconds',
      type: 'histogram',
      help: 'How long answers took that were made for one request.',
      samples: answers.samples(),
    },
    {
      name: 'http_ready_answers_total',
      type: 'counter',
      help: 'Responses sent from memory: cached pages and files.',
      samples: Object.entries(ready).flatMap(([kind, counts]) =>
        [...counts].map(([status, value]) => ({ labels: { kind, status }, value })),
      ),
    },
    { name: 'jobs', type: 'gauge', help: 'Work outside of requests, by state.', samples: byState(work) },
    {
      name: 'database_connections',
      type: 'gauge',
      help: 'Connections to the database, by state.',
      samples: byState(openedDatabase().connections()),
    },
    ...processMetrics(),
  ])
}

function byState(counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
}

function processMetrics(): Metric[] {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const one = (name: string, type: 'counter' | 'gauge', help: string, value: number): Metric => ({ name, type, help, samples: [{ value }] })
  const lag = { mean: delay.mean, p99: delay.percentile(99), max: delay.max }
  delay.reset()
  return [
    one('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    one('nodejs_heap_size_used_bytes', 'gauge', 'Memory of JavaScript objects.', heapUsed),
    one('nodejs_external_memory_bytes', 'gauge', 'Memory outside of the JavaScript heap, the embedded database included.', external),
    one('process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6),
    one('process_start_time_seconds', 'gauge', 'When the process started, in seconds since 1970.', performance.timeOrigin / 1000),
    {
      name: 'nodejs_eventloop_delay_seconds',
      type: 'gauge',
      help: 'How late timers were since the last reading.',
      samples: Object.entries(lag).map(([statistic, nanoseconds]) => ({ labels: { statistic }, value: (nanoseconds || 0) / 1e9 })),
    },
  ]
}
