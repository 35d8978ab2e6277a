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

const tallies = new Map<string, Tally>()
/** A connection stays with one visitor, unless a proxy shares it between many. */
let ofSocket = new WeakMap<Socket, Tally>()

/** Whether this visitor has asked for kept pages too often just now. Counted in this process alone: what it guards is this process. */
export function isTooOften(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (env.RATE_LIMITS === 'off') return false
  const tally = tallyOf(request)
  const now = Date.now()
  if (now - tally.since > PER_SECONDS * 1000) {
    tally.since = now
    tally.count = 0
  }
  tally.count += 1
  return tally.count > MOST
}

function tallyOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): Tally {
  const shared = env.TRUST_PROXY.length > 0
  const known = shared ? undefined : ofSocket.get(request.socket)
  if (known) return known
  const key = visitorKey(addressOf(request))
  const tally = tallies.get(key) ?? { count: 0, since: 0 }
  if (tallies.size >= MOST_VISITORS) forgetAll()
  tallies.set(key, tally)
  if (!shared) ofSocket.set(request.socket, tally)
  return tally
}

function forgetAll() {
  tallies.clear()
  ofSocket = new WeakMap()
}
