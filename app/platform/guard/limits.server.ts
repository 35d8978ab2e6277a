import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { isIPv6 } from 'node:net'
import type { Pool } from 'pg'
import { durationText } from '#app/platform/time/duration.ts'
import { env } from '#app/platform/env.server.ts'
import { stop, Stop } from '#app/platform/errors/stop.ts'

/** At most `points` in `seconds`. `refused` is called with the key at the first refusal of each window, so a flood costs nothing more. */
export type Limit = { name: string; points: number; seconds: number; refused?: (key: string) => void }

const limiters = new Map<string, { points: number; seconds: number; limiter: Promise<RateLimiterAbstract> }>()
let pool: Promise<Pool> | undefined
let openPool: (() => Promise<Pool>) | undefined

/** Sets the database in which several processes count together. Without one, each process counts separately. All counts restart. */
export function countIn(open: (() => Promise<Pool>) | undefined) {
  openPool = open
  limiters.clear()
}

/**
 * Counts one use against a limit. Over the limit, it stops with 429 and the time to retry. Counted in memory by one process,
 * in PostgreSQL by several.
 */
export async function consume(limit: Limit, key: string, points = 1): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  const limiter = await limiterOf(limit)
  const refusal = await limiter.consume(key, points).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!refusal) return
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  if (refusal.consumedPoints - points <= limit.points) limit.refused?.(key)
  const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
  stop('tooMany', `That was too often. Please try again in ${durationText(retryAfter, Math.ceil)}.`, {
    code: 'too_many_requests',
    retryAfter,
  })
}

/** Counts one use as `consume` does. Returns its sentence in place of a stop. */
export async function refusalOver(limit: Limit, key: string): Promise<string | undefined> {
  try {
    await consume(limit, key)
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error.data
    throw error
  }
}

/** Counts one use as `consume` does, and returns whether it was within the limit. */
export async function isWithin(limit: Limit, key: string): Promise<boolean> {
  return (await refusalOver(limit, key)) === undefined
}

/** Resets the count of a key. */
export async function forgive(limit: Limit, key: string): Promise<void> {
  await (await limiterOf(limit)).delete(key)
}

/** Refunds a counted use. */
export async function giveBack(limit: Limit, key: string, points = 1): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  await (await limiterOf(limit)).reward(key, points)
}

/** `free` attempts have no delay. Each later one needs a pause before the next, twice as long every time, up to `longest` seconds. */
export type Patience = { name: string; free: number; longest: number; forgottenAfter: number }

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot outrun the count. Stops with 429 when it comes
 * too soon after the last one; such an attempt is not counted.
 */
export async function attempt({ name, free, longest, forgottenAfter }: Patience, key: string): Promise<void> {
  if (env.RATE_LIMITS === 'off') return
  const count = await limiterOf({ name, points: free, seconds: forgottenAfter })
  const { consumedPoints } = await count.penalty(key)
  if (consumedPoints <= free) return
  const pause = pauseOf(name, longest)
  try {
    await consume(pause, key)
  } catch (error) {
    await count.reward(key)
    throw error
  }
  await (await limiterOf(pause)).block(key, Math.min(longest, 2 ** (consumedPoints - free - 1)))
}

/** Resets the count after a success. */
export async function succeed({ name, free, longest, forgottenAfter }: Patience, key: string): Promise<void> {
  await Promise.all([forgive({ name, points: free, seconds: forgottenAfter }, key), forgive(pauseOf(name, longest), key)])
}

function pauseOf(name: string, longest: number): Limit {
  return { name: `${name}:pause`, points: 1, seconds: longest }
}

/** The key of one visitor: an address, or the network of an IPv6 subscriber. */
export function visitorKey(address: string): string {
  return networkOf(address, 64)
}

/** The network that a provider assigns to one customer, who can use all of its 65,536 subnets. In IPv4 it is the address. */
export function customerKey(address: string): string {
  return networkOf(address, 48)
}

function networkOf(address: string, bits: 48 | 64): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return `${groups
    .slice(0, bits / 16)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/${bits}`
}

function limiterOf({ name, points, seconds }: Limit): Promise<RateLimiterAbstract> {
  const known = limiters.get(name)
  if (known && (known.points !== points || known.seconds !== seconds)) throw new Error(`Two limits have the name ${name}.`)
  if (known) return known.limiter
  const options = { keyPrefix: name, points, duration: seconds }
  const limiter = openPool ? postgresLimiter(openPool, options) : Promise.resolve(new RateLimiterMemory(options))
  limiters.set(name, { points, seconds, limiter })
  return limiter
}

async function postgresLimiter(open: () => Promise<Pool>, options: { keyPrefix: string; points: number; duration: number }) {
  pool ??= open()
  return new RateLimiterPostgres({
    ...options,
    storeClient: await pool,
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: true,
  })
}

export async function closeLimits(): Promise<void> {
  await (await pool)?.end()
  pool = undefined
  limiters.clear()
}
