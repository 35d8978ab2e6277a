import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { env } from '#app/platform/env.server.ts'
import { visitorKey } from '#app/platform/limits.server.ts'
import { clientAddress } from '#app/platform/http/peer.server.ts'

/** Far above the use of a whole office, far below a noticeable load: a cached page costs next to nothing. */
const MOST = 500
const PER_SECONDS = 10
const MOST_VISITORS = 100_000

type Tally = { count: number; since: number }

/** Limits how often each visitor requests cached pages. Each server counts for itself, because the limit protects that server. */
export class StoredRateLimit {
  readonly #tallies = new Map<string, Tally>()
  /** A connection stays with one visitor, unless a proxy shares it between many. */
  #ofSocket = new WeakMap<Socket, Tally>()

  /** Counts this request, and returns whether its visitor is over the limit. */
  isTooOften(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    if (env.RATE_LIMITS === 'off') return false
    const tally = this.#tallyOf(request)
    const now = Date.now()
    if (now - tally.since > PER_SECONDS * 1000) {
      tally.since = now
      tally.count = 0
    }
    tally.count += 1
    return tally.count > MOST
  }

  #tallyOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): Tally {
    const shared = env.TRUST_PROXY.length > 0
    const known = shared ? undefined : this.#ofSocket.get(request.socket)
    if (known) return known
    const key = visitorKey(clientAddress(request))
    const tally = this.#tallies.get(key) ?? { count: 0, since: 0 }
    if (this.#tallies.size >= MOST_VISITORS) this.#forgetAll()
    this.#tallies.set(key, tally)
    if (!shared) this.#ofSocket.set(request.socket, tally)
    return tally
  }

  #forgetAll() {
    this.#tallies.clear()
    this.#ofSocket = new WeakMap()
  }
}
