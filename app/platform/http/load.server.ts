import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { BoundedQueue, type Bounds } from './bounded-queue.server.ts'
import { env } from '#app/platform/env.server.ts'
import { POOL_SIZE } from '#app/platform/database/postgres-pool.server.ts'
import { ACCESS_COOKIE } from './session-cookie.server.ts'
import { bearerTokenOf, type RequestContext } from './request-context.server.ts'

/** The refusal of an enquiry under load. */
export const NOT_SENT = 'We are very busy right now, so your message was not sent. Please send it again in a few seconds.'

/** Bounds with the embedded database, whose one connection is the bottleneck, and with a pool of connections. */
const byDatabase = (embedded: number, pool: number) => (env.DATABASE_URL ? pool : embedded)

/** The queues, each with its bounds. */
export const bounds = {
  /** Pages rendered for one request. Rendering fills the processor: more concurrency only slows each of them, and everything else. */
  renderings: { atOnce: 2, longest: 100, patience: 300 },
  /** Reading endpoints, whose work is queries. With one connection, the work of all queues shares it, so each lets in little. */
  reads: { atOnce: byDatabase(2, POOL_SIZE), longest: 200, patience: 300 },
  /** Reads of dataset rows, which run longer and in another engine. */
  rows: { atOnce: 8, longest: 100, patience: 1000 },
  /** Writes of anonymous visitors, such as sign-ins and sign-ups. */
  writes: { atOnce: byDatabase(2, POOL_SIZE), longest: 200, patience: 400 },
  /** External sign-ins spend their time on the other service, so more of them run concurrently. */
  visits: { atOnce: 16, longest: 100, patience: 400 },
  /** Enquiries are refused last: in a queue of their own with the most room and the latest deadline. */
  enquiries: { atOnce: byDatabase(2, POOL_SIZE), longest: 400, patience: 500, sentence: NOT_SENT },
  /** Reads of people with an account, when the public queue is full. */
  known: { atOnce: 4, longest: 200, patience: 5000 },
  /** Writes of people with an account. A token does not say whether its account still exists. */
  knownWrites: { atOnce: 16, longest: 200, patience: 5000 },
} satisfies Record<string, Bounds>

export const renderings = new BoundedQueue(bounds.renderings)
const reads = new BoundedQueue(bounds.reads)
const rows = new BoundedQueue(bounds.rows)
const writes = new BoundedQueue(bounds.writes)
const visits = new BoundedQueue(bounds.visits)
const enquiries = new BoundedQueue(bounds.enquiries)
const known = new BoundedQueue(bounds.known)
const knownWrites = new BoundedQueue(bounds.knownWrites)

/** Seconds for which an expired token still identifies readers, and people who renew their session. */
const EXPIRED_FOR = 7 * 24 * 3600

/** Sets the check for genuine tokens. It runs no query, and accepts tokens that expired at most so many seconds ago. */
export function useGenuineTokens(check: typeof isGenuine) {
  isGenuine = check
}
let isGenuine: (token: string, expiredFor: number) => Promise<boolean> = async () => false

const turns = new WeakMap<FastifyRequest, () => void>()

/** Gives endpoints a bounded queue. A slot is released when the response is ready: sending or streaming it blocks no other request. */
export function boundEndpoints(http: FastifyInstance) {
  http.addHook('preHandler', async (request, reply) => {
    const { url = '', config } = request.routeOptions
    if (config.isBoundElsewhere || !/^\/(api|auth)\//.test(url)) return
    const queue = await queueOf(request, readingQueueOf(url))
    if (!queue) return
    const leave = await queue.enter(() => reply.raw.destroyed)
    turns.set(request, leave)
    reply.raw.once('close', leave)
  })
  http.addHook('onSend', async (request) => endTurn(request))
}

function readingQueueOf(url: string): BoundedQueue {
  if (url.startsWith('/auth/')) return visits
  return url.startsWith('/api/v1/') || url.endsWith('/count') ? rows : reads
}

/** Releases the slot of a request whose response bypasses the framework. */
export function endTurn(request: FastifyRequest) {
  turns.get(request)?.()
}

/** Runs the work of a page in a slot. */
export async function inTurn<T>(request: FastifyRequest, response: ServerResponse, work: () => Promise<T>): Promise<T> {
  const queue = await queueOf(request, renderings)
  return queue ? queue.run(work, () => response.destroyed) : work()
}

/**
 * The queue of a request. Anonymous visitors cannot block people with an account: reads of those have a queue of their own when the usual
 * one is full, and so do their writes. An upload can take minutes, so it has no queue, but limits of its own.
 */
async function queueOf(request: FastifyRequest, reading: BoundedQueue): Promise<BoundedQueue | undefined> {
  const { method, requestContext, routeOptions, url, body } = request
  const isReading = method === 'GET' || method === 'HEAD'
  if (isReading && !reading.isFull) return reading
  const isRenewal = /^\/auth\/v1\/token\?(.*&)?grant_type=refresh_token(&|$)/.test(url)
  if (await isKnown(requestContext, isReading || isRenewal ? EXPIRED_FOR : 0)) {
    if (isReading) return known
    return body instanceof Readable ? undefined : knownWrites
  }
  if (isReading) return reading
  return routeOptions.config.isRefusedLast || requestContext.isRefusedLast ? enquiries : writes
}

async function isKnown(requestContext: RequestContext, expiredFor: number): Promise<boolean> {
  const token = bearerTokenOf(requestContext) ?? requestContext.cookies[ACCESS_COOKIE]
  return token !== undefined && isGenuine(token, expiredFor)
}
