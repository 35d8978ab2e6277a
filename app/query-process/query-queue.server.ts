import os from 'node:os'
import { Lane } from '#app/duckdb/lane.server.ts'
import { stop } from '#app/platform/stop.ts'

/** Queries that run at the same time: a processor is left for everything else, where there is more than one. With two on two, others waited a seventh longer. */
const lane = new Lane(() => Math.min(2, Math.max(1, os.availableParallelism() - 1)))
/** One person has two queries, running or waiting. The line has room for the second ones of ten people, so those never fill it for the rest. */
const OF_ONE = 2
const MOST_WAITING = 20

const byPerson = new Map<string, number>()

/** Does a piece of work when its turn comes: people take turns, then the order of arrival counts. Stops when too many wait already. Leaving while waiting gives up the place. */
export async function inTurn<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own = byPerson.get(person) ?? 0
  if (own >= OF_ONE)
    stop('tooMany', 'Your questions before this one are still being answered.', { code: 'too_many_requests', retryAfter: 5 })
  byPerson.set(person, own + 1)
  try {
    return await lane.pass(work, { signal, mostWaiting: MOST_WAITING, person })
  } finally {
    const others = (byPerson.get(person) ?? 1) - 1
    if (others > 0) byPerson.set(person, others)
    else byPerson.delete(person)
  }
}
