import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { env } from '#app/platform/env.server.ts'
import { POOL_SIZE } from '#app/platform/database/postgres-pool.server.ts'
import { ACCESS_COOKIE } from './session-cookie.server.ts'
import { bearerTokenOf, type RequestContext } from './request-context.server.ts'
import { type Waiting, WorkQueue } from './work-queue.server.ts'

/** The refusal of an enquiry under load. */
export const NOT_SENT = 'We are very busy right now, so your message was not sent. Please send it again in a few seconds.'

/** Concurrent work with the embedded database, whose one connection is the bottleneck, and with a pool of connections. */
const byDatabase = (embedded: number, pool: number) => (env.DATABASE_URL ? pool : embedded)

/** Pages made for one request, and reading endpoints. With one connection, each request waits for all others, so few run at once. */
export const render = new WorkQueue(byDatabase(2, POOL_SIZE))
/** Writes of visitors, such as enquiries, sign-ins and sign-ups. */
const write = new WorkQueue(16)
/** Work that takes a core, another engine or much memory: rows of datasets, password hashes, pictures. */
export const heavy = new WorkQueue(Math.max(2, availableParallelism() - 1))
/** Slots of people with an account in the first two queues, so that visitors cannot keep them out. */
const members = { render: new WorkQueue(4), write: new WorkQueue(16) }

/** How each kind of work waits for its slot. A person rather waits for seconds than reads that we are busy. */
export const waits = {
  /** A page that is cached afterwards is for everyone. */
  cachedPage: { room: 100, patience: 3000, priority: 1 },
  read: { room: 200, patience: 3000 },
  memberRead: { room: 200, patience: 5000 },
  write: { room: 200, patience: 4000 },
  /** Enquiries are refused last: with the most room, the latest deadline and before other writes. */
  enquiry: { room: 400, patience: 5000, priority: 1, sentence: NOT_SENT },
  /** A token does not say whether its account still exists. */
  memberWrite: { room: 200, patience: 5000 },
  /** Programs read with several connections. Until the rows of a dataset are stored, a page takes long enough for the others to wait. */
  rows: { room: 100, patience: 5000, priority: 1 },
  /** These requests have already waited once. */
  hash: { room: 64, patience: 60_000 },
  picture: { room: 32, patience: 60_000 },
} satisfies Record<string, Waiting>

/** Seconds for which an expired token still identifies readers, and people who renew their session. */
const EXPIRED_FOR = 7 * 24 * 3600

/** Sets the check for genuine tokens. It runs no query, and accepts tokens that expired at most so many seconds ago. */
export function useGenuineTokens(check: typeof isGenuine) {
  isGenuine = check
}
let isGenuine: (token: string, expiredFor: number) => Promise<boolean> = async () => false

const turns = new WeakMap<FastifyRequest, () => void>()

/** Gives endpoints a slot. It is released when the response is ready: sending or streaming it blocks no other request. */
export function boundEndpoints(http: FastifyInstance) {
  http.addHook('preHandler', async (request, reply) => {
    const { url = '', config } = request.routeOptions
    if (config.isBoundElsewhere || !/^\/(api|auth)\//.test(url)) return
    const place = await placeOf(request, url.startsWith('/api/v1/') || url.endsWith('/count'))
    if (!place) return
    const leave = await place.queue.enter(place.waiting, reply.raw)
    turns.set(request, leave)
    reply.raw.once('close', leave)
  })
  http.addHook('onSend', async (request) => endTurn(request))
}

/** Releases the slot of a request whose response bypasses the framework. */
export function endTurn(request: FastifyRequest) {
  turns.get(request)?.()
}

/** Runs the work of a page in a slot. */
export async function inTurn<T>(request: FastifyRequest, response: ServerResponse, work: () => Promise<T>): Promise<T> {
  const place = await placeOf(request, false)
  return place ? place.queue.run(place.waiting, work, response) : work()
}

type Place = { queue: WorkQueue; waiting: Waiting }

/**
 * The queue of a request. Anonymous visitors cannot block people with an account: reads of those have slots of their own when the usual
 * ones are taken, and so do their writes. An upload can take minutes, so it has no slot, but limits of its own.
 */
async function placeOf(request: FastifyRequest, readsRows: boolean): Promise<Place | undefined> {
  const { method, requestContext, routeOptions, url, body } = request
  const isReading = method === 'GET' || method === 'HEAD'
  const reading: Place = readsRows ? { queue: heavy, waiting: waits.rows } : { queue: render, waiting: waits.read }
  if (isReading && !reading.queue.isFull) return reading
  const isRenewal = /^\/auth\/v1\/token\?(.*&)?grant_type=refresh_token(&|$)/.test(url)
  if (await isKnown(requestContext, isReading || isRenewal ? EXPIRED_FOR : 0)) {
    if (isReading) return { queue: members.render, waiting: waits.memberRead }
    return body instanceof Readable ? undefined : { queue: members.write, waiting: waits.memberWrite }
  }
  if (isReading) return reading
  const isEnquiry = routeOptions.config.isRefusedLast || requestContext.isRefusedLast
  return { queue: write, waiting: isEnquiry ? waits.enquiry : waits.write }
}

async function isKnown(requestContext: RequestContext, expiredFor: number): Promise<boolean> {
  const token = bearerTokenOf(requestContext) ?? requestContext.cookies[ACCESS_COOKIE]
  return token !== undefined && isGenuine(token, expiredFor)
}
