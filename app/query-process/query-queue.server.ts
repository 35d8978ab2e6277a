import { availableParallelism } from 'node:os'
import { Lane } from '#app/duckdb/lane.server.ts'
import { stop } from '#app/platform/stop.ts'

/** Questions that are answered at once: a processor is left for everything else, where there is more than one. With two on two, others waited a seventh longer. */
const lane = new Lane(Math.min(2, Math.max(1, availableParallelism() - 1)))
/** Questions that wait; one person has two of them at most. */
const MOST_WAITING = 10
const OF_ONE = 2

const byPerson = new Map<string, number>()

/** Does a piece of work when its turn comes; stops at once when too many wait already. Who leaves while waiting gives up the place. */
export async function inTurn<T>(person: string, left: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own = byPerson.get(person) ?? 0
  if (own >= OF_ONE)
    stop('tooMany', 'Your questions before this one are still being answered.', { code: 'too_many_requests', retryAfter: 5 })
  byPerson.set(person, own + 1)
  try {
    return await lane.pass(work, left, MOST_WAITING)
  } finally {
    const others = (byPerson.get(person) ?? 1) - 1
    if (others > 0) byPerson.set(person, others)
    else byPerson.delete(person)
  }
}
