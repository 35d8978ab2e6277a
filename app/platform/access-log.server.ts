import { randomBytes } from 'node:crypto'
import { log } from './log.server.ts'

const WINDOW_MS = 1000
/** So many answers of one second are logged one by one; what a flood adds is counted, because writing it down would cost more than answering. */
const ONE_BY_ONE = 100

const start = randomBytes(6).toString('hex')
let numbered = 0
let logged = 0
let counting: NodeJS.Timeout | undefined
const counts = new Map<string, Map<number, number>>()

/** An id for a request that no one else numbers: the process, and which of its requests it is. */
export function nextRequestId(): string {
  numbered += 1
  return `${start}-${numbered.toString(36)}`
}

/** The log's line for an answer from the page cache. */
export function logKeptAnswer(request: string, method: string, route: string, status: number) {
  counting ??= setTimeout(logCounts, WINDOW_MS).unref()
  if (logged < ONE_BY_ONE) {
    logged += 1
    log.info({ request, method, route, status, kept: true }, 'answered')
    return
  }
  let byStatus = counts.get(route)
  if (!byStatus) counts.set(route, (byStatus = new Map()))
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
}

function logCounts() {
  for (const [route, byStatus] of counts) {
    for (const [status, count] of byStatus) log.info({ route, status, kept: true, count }, 'answered, many at once')
  }
  counts.clear()
  logged = 0
  counting = undefined
}

process.on('exit', logCounts)
