import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BoundedQueue } from './bounded-queue.server.ts'

/** Pages that are rendered for one request. Rendering fills the processor, so more at once would only make each of them late. */
export const renderings = new BoundedQueue({ atOnce: 4, longest: 100, patience: 700 })
/** Reading endpoints, whose work is queries. */
const reads = new BoundedQueue({ atOnce: 16, longest: 200, patience: 700 })
/** Reading rows of datasets, which another engine does and which takes longer. */
const rows = new BoundedQueue({ atOnce: 8, longest: 100, patience: 1000 })

/**
 * Lets reading endpoints wait for their turn in a bounded queue. What is written (a sign-in, an enquiry) never waits here, so that reading is refused
 * before it. A turn ends when the answer is ready: sending it, or streaming it, holds up nobody.
 */
export function boundReads(http: FastifyInstance) {
  const turns = new WeakMap<FastifyRequest, () => void>()
  http.addHook('preHandler', async (request, reply) => {
    const leave = await queueOf(request)?.enter(() => reply.raw.destroyed)
    if (!leave) return
    turns.set(request, leave)
    reply.raw.once('close', leave)
  })
  http.addHook('onSend', async (request) => turns.get(request)?.())
}

function queueOf({ method, routeOptions: { url = '' } }: FastifyRequest): BoundedQueue | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/api/')) return undefined
  return url.startsWith('/api/v1/') || url.endsWith('/count') ? rows : reads
}
