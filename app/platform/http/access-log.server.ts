import { randomBytes } from 'node:crypto'
import { log } from '#app/platform/process/log.server.ts'

const WINDOW_MS = 1000
/** Responses logged one by one per second. The rest of a flood is counted: a log line would cost more than the response. */
const ONE_BY_ONE = 100

const start = randomBytes(6).toString('hex')
let numbered = 0
let logged = 0
let counting: NodeJS.Timeout | undefined
const counts = new Map<string, Map<number, number>>()

/** A unique request ID: the process, then the number of the request in it. */
export function nextRequestId(): string {
  numbered += 1
  return `${start}-${numbered.toString(36)}`
}

/** Logs a response from the page cache. */
export function logCachedResponse(request: string, method: string, route: string, status: number) {
  counting ??= setTimeout(logCounts, WINDOW_MS).unref()
  if (logged < ONE_BY_ONE) {
    logged += 1
    log.info({ request, method, route, status, cached: true }, 'request completed')
    return
  }
  let byStatus = counts.get(route)
  if (!byStatus) counts.set(route, (byStatus = new Map()))
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
}

function logCounts() {
  for (const [route, byStatus] of counts) {
    for (const [status, count] of byStatus) log.info({ route, status, cached: true, count }, 'requests completed')
  }
  counts.clear()
  logged = 0
  counting = undefined
}

process.on('exit', logCounts)
