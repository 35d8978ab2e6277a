import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { openedDatabase } from '#app/platform/database/db.server.ts'
import { countJobs } from '#app/platform/jobs.server.ts'

const registry = new Registry()
const registers = [registry]

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'How long answers took that were made for one request.',
  labelNames: ['method', 'route', 'status'],
  registers,
})
const ready = new Counter({
  name: 'http_ready_answers_total',
  help: 'Responses sent from memory: cached pages and files.',
  labelNames: ['kind', 'status'],
  registers,
})
const jobs: Gauge<'state'> = new Gauge({
  name: 'jobs',
  help: 'Work outside of requests, by state.',
  labelNames: ['state'],
  registers,
  collect: async () => setStates(jobs, await countJobs().catch(() => ({}))),
})
const connections: Gauge<'state'> = new Gauge({
  name: 'database_connections',
  help: 'Connections to the database, by state.',
  labelNames: ['state'],
  registers,
  collect: () => setStates(connections, openedDatabase().connections()),
})

/** Counts a cached response. */
export function countStaticResponse(kind: 'page' | 'file', status: number) {
  ready.inc({ kind, status })
}

/** Counts a response made for one request. */
export function noteAnswer(method: string, route: string, status: number, milliseconds: number) {
  durations.observe({ method, route, status }, milliseconds / 1000)
}

/** Starts measuring the process itself. */
export function measureProcess() {
  collectDefaultMetrics({ register: registry })
}

export const METRICS_TYPE = registry.contentType

/** All metrics in Prometheus' text format. */
export function readMetrics(): Promise<string> {
  return registry.metrics()
}

function setStates(gauge: Gauge<'state'>, counts: Readonly<Record<string, number>>) {
  gauge.reset()
  for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count)
}
