import { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { DISK_FULL, hasRoom } from '#app/platform/files/disk-room.server.ts'
import { isDatabaseReady } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from './http.server.ts'
import { METRICS_TYPE, readMetrics } from './metrics.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { textAnswer } from './response-schema.ts'

/** For monitoring: liveness, readiness and metrics. Not for visitors. */
export const healthApi: Api = async (app) => {
  app.get(
    '/healthz',
    {
      schema: { summary: 'Whether the process lives', tags: ['health'], response: { 200: z.object({ status: z.string() }) } },
      config: { quiet: true },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      return { status: 'alive' }
    },
  )

  app.get(
    '/readyz',
    {
      schema: { summary: 'Whether it can serve', tags: ['health'], response: { 200: z.object({ status: z.string() }) } },
      config: { quiet: true },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      if (!env.DATABASE_URL && !hasRoom(path.resolve(env.DATA_DIR))) stop('unavailable', DISK_FULL, { retryAfter: 5 })
      if (!(await isDatabaseReady())) stop('unavailable', 'The database does not answer.', { retryAfter: 5 })
      return { status: 'ready' }
    },
  )

  app.get(
    '/metrics',
    {
      schema: {
        summary: 'Metrics, for this machine or by token',
        tags: ['health'],
        response: { 200: textAnswer('The figures.', 'text/plain') },
      },
      config: { quiet: true },
    },
    async (request, reply) => {
      if (!isWatcher(request)) stop('forbidden', 'Metrics are for this machine, or for those who have the token.')
      return reply.headers({ 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }).send(await readMetrics())
    },
  )
}

function isWatcher({ headers, requestContext }: FastifyRequest): boolean {
  if (env.METRICS_TOKEN && isSame(headers.authorization ?? '', `Bearer ${env.METRICS_TOKEN}`)) return true
  return requestContext.isLocal
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
