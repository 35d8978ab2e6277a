import os from 'node:os'
import { QueryQueue } from '#app/datasets/rows/query-queue.server.ts'
import { stop } from '#app/platform/stop.ts'

/**
 * The queries that run in parallel: one processor stays free for other work, if there is more than one. With two queries on two
 * processors, other work took a seventh longer.
 */
const lane = new QueryQueue(() => Math.min(2, Math.max(1, os.availableParallelism() - 1)))
/**
 * One person has at most two queries, running or queued. The queue has room for the second ones of ten people, so they never fill it for
 * the rest.
 */
const OF_ONE = 2
const MOST_WAITING = 20

const byPerson = new Map<string, number>()

/**
 * Runs the work when its turn comes: people take turns, then arrival counts. Throws when too many are queued. Aborting leaves the queue.
 */
export async function inTurn<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own = byPerson.get(person) ?? 0
  if (own >= OF_ONE)
    stop('tooMany', 'Your previous queries are still running. Wait for one to finish.', { code: 'too_many_requests', retryAfter: 5 })
  byPerson.set(person, own + 1)
  try {
    return await lane.pass(work, { signal, mostWaiting: MOST_WAITING, person })
  } finally {
    const others = (byPerson.get(person) ?? 1) - 1
    if (others > 0) byPerson.set(person, others)
    else byPerson.delete(person)
  }
}
