import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { env } from './env.server.ts'
import { visitorKey } from './limits.server.ts'
import { addressOf } from './peer.server.ts'

/** Far beyond a person and their whole office, far below what would be felt: a kept page costs next to nothing. */
const MOST = 500
const PER_SECONDS = 10
const MOST_VISITORS = 100_000

type Tally = { count: number; since: number }

/** How often each visitor asks for kept pages. Counted by one server alone: what it guards is this server. */
export class KeptLimit {
  readonly #tallies = new Map<string, Tally>()
  /** A connection stays with one visitor, unless a proxy shares it between many. */
  #ofSocket = new WeakMap<Socket, Tally>()

  /** Counts this request, and tells whether its visitor has asked too often just now. */
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
    const key = visitorKey(addressOf(request))
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
