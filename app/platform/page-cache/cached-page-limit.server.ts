import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { env } from '#app/platform/env.server.ts'
import { visitorKey } from '#app/platform/limits.server.ts'
import { clientAddress } from '#app/platform/http/peer.server.ts'

/** Far above the use of a whole office, far below a noticeable load: a cached page costs next to nothing. */
const MOST = 500
const PER_SECONDS = 10
const MOST_VISITORS = 20_000

type Tally = { count: number; since: number }

/** Limits how often each visitor requests cached pages. Each server counts for itself, because the limit protects that server. */
export class CachedPageLimit {
  readonly #tallies = new LRUCache<string, Tally>({ max: MOST_VISITORS })

  /** Counts this request, and returns whether its visitor is over the limit. */
  isTooOften(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    if (env.RATE_LIMITS === 'off') return false
    const tally = this.#tallyOf(visitorKey(clientAddress(request)))
    tally.count += 1
    return tally.count > MOST
  }

  #tallyOf(visitor: string): Tally {
    const known = this.#tallies.get(visitor)
    if (known && Date.now() - known.since <= PER_SECONDS * 1000) return known
    const tally = { count: 0, since: Date.now() }
    this.#tallies.set(visitor, tally)
    return tally
  }
}
