import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { isIPv6 } from 'node:net'
import type { Pool } from 'pg'
import { inWords } from './duration.ts'
import { env } from './env.server.ts'
import { stop } from './stop.ts'

/** At most so many in so many seconds. */
export type Limit = { name: string; points: number; seconds: number }

const limiters = new Map<string, Promise<RateLimiterAbstract>>()
let pool: Promise<Pool> | undefined
let openPool: (() => Promise<Pool>) | undefined

/** Says where several processes count together; called by whoever opens the database. Without a place, each process counts by itself. Counting begins anew. */
export function countIn(open: (() => Promise<Pool>) | undefined) {
  openPool = open
  limiters.clear()
}

/**
 * Counts one use against a limit; over it, stops with 429 and says when to come back. Counted in memory by one process,
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
  const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
  stop('tooMany', `That was too often. Please try again in ${inWords(retryAfter, Math.ceil)}.`, { code: 'too_many_requests', retryAfter })
}

/** Forgets what has been counted under a key. */
export async function forgive(limit: Limit, key: string): Promise<void> {
  await (await limiterOf(limit)).delete(key)
}

/** So many attempts are free; each one after them needs a pause before the next, twice as long every time, up to `longest` seconds. */
export type Patience = { name: string; free: number; longest: number; forgottenAfter: number }

/**
 * Counts an attempt that may fail, before it is made, so that many at the same moment cannot outrun the count. Stops with 429 when it comes
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

/** The attempt was a success: those before it do not matter any more. */
export async function succeed({ name, free, longest, forgottenAfter }: Patience, key: string): Promise<void> {
  await Promise.all([forgive({ name, points: free, seconds: forgottenAfter }, key), forgive(pauseOf(name, longest), key)])
}

function pauseOf(name: string, longest: number): Limit {
  return { name: `${name}:pause`, points: 1, seconds: longest }
}

/** One visitor: an address, or the network of an IPv6 subscriber. */
export function visitorKey(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

function limiterOf({ name, points, seconds }: Limit): Promise<RateLimiterAbstract> {
  const known = limiters.get(name)
  if (known) return known
  const options = { keyPrefix: name, points, duration: seconds }
  const limiter = openPool ? postgresLimiter(openPool, options) : Promise.resolve(new RateLimiterMemory(options))
  limiters.set(name, limiter)
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
