import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { PROBLEM_TYPE, toProblem } from '#app/platform/errors/problem.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { UploadLock } from './upload-lock.server.ts'
import { CHUNK_TYPE, MOST_UPLOAD, TUS_VERSION, UPLOADS } from './upload.ts'

/** The time that a request has to end after another one wants its upload. */
const DRAIN_MS = 2_000

const tags = ['data marketplace']
const byId = z.object({ id: z.uuid('There is no such upload.') })
const nothing = { 204: z.null() }
/** For the description of the API: the protocol has its own statuses for a missing or wrong one. */
const version = { 'tus-resumable': z.string().describe(TUS_VERSION).optional() }
const headers = z.looseObject(version)
const beginning = z.looseObject({
  ...version,
  'upload-length': z.string().describe('The bytes of the file').optional(),
  'upload-metadata': z.string().describe('productId and filename, optionally changes and sha256, each with its value in Base64').optional(),
})
const chunk = z.looseObject({ ...version, 'upload-offset': z.string().describe('Where the chunk begins').optional() })

/** Dataset uploads for staff, by the tus protocol 1.0.0 (https://tus.io): an interruption costs little, and any process can continue. */
export const uploadApi: Api = async (app) => {
  // Streamed, never buffered whole.
  app.addContentTypeParser(CHUNK_TYPE, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'tus-resumable': TUS_VERSION, 'tus-version': TUS_VERSION })
    await allow(requestContext, 'products.write')
  })
  const limit = perVisitor('datasets.pieces', 6000, '10 minutes')
  const takes = [CHUNK_TYPE]

  app.options(UPLOADS, { schema: { hide: true, response: nothing } }, speakTus)
  app.post(
    UPLOADS,
    { schema: { summary: BEGIN, tags, headers: beginning, response: { 201: z.null() } }, config: { limit, takes } },
    speakTus,
  )
  app.head(
    `${UPLOADS}/:id`,
    { schema: { summary: 'Return how far an upload is', tags, params: byId, headers, response: { 200: z.null() } } },
    speakTus,
  )
  app.patch(
    `${UPLOADS}/:id`,
    {
      schema: {
        summary: 'Send the chunk of an upload that begins at Upload-Offset',
        tags,
        params: byId,
        headers: chunk,
        response: nothing,
      },
      config: { limit, takes },
    },
    speakTus,
  )
  app.delete(`${UPLOADS}/:id`, { schema: { summary: 'Discard an upload', tags, params: byId, headers, response: nothing } }, speakTus)
}

const BEGIN = 'Begin to upload a file as the next version of a data product'

async function speakTus(request: FastifyRequest, reply: FastifyReply) {
  const { id: ownerId } = await allow(request.requestContext, 'products.write')
  if (request.method === 'PATCH' && !(request.body instanceof Readable)) {
    stop('unknownMedia', `Send the chunk as the body, with Content-Type: ${CHUNK_TYPE}.`)
  }
  const claim = randomUUID()
  const failure: { error?: unknown } = {}
  // The protocol comes with an HTTP client, which would delay the start.
  const [{ Server }, { UploadStore }] = await Promise.all([import('@tus/server'), import('./upload.server.ts')])
  const server = new Server({
    path: UPLOADS,
    relativeLocation: true,
    maxSize: MOST_UPLOAD,
    namingFunction: () => newId(),
    locker: { newLock: (id) => new UploadLock(id, ownerId, claim) },
    datastore: new UploadStore(ownerId, claim),
    lockDrainTimeout: DRAIN_MS,
    onResponseError(_request, error) {
      failure.error = error
      return undefined
    },
  })
  const response = await server.handleWeb(toWebRequest(request))
  request.raw.resume()
  const { error } = failure
  if (error instanceof Stop || (error instanceof Error && !('status_code' in error))) throw error
  // The rest of a refused body is read, so the connection can stay.
  for (const [name, value] of response.headers) if (!/^(access-control-|content-|connection$)/.test(name)) reply.header(name, value)
  reply.status(response.status)
  if (response.ok) return reply.send(null)
  const sentence = (await response.text()).trim()
  return reply
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(toProblem(response.status, STATUS_CODES[response.status] ?? 'Not accepted', sentence.replace(/\.?$/, '.')))
}

/** Only what the protocol reads. */
function toWebRequest({ method, url, headers, body }: FastifyRequest): Request {
  const given = Object.entries(headers).filter(([name]) => /^(tus|upload)-|^content-(type|length)$/.test(name))
  const stream = body instanceof Readable ? toWebStream(body) : undefined
  return new Request(new URL(url, env.SITE_URL), {
    method,
    headers: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(stream && { body: stream, duplex: 'half' }),
  })
}

/** Ending it early leaves the connection open. */
function toWebStream(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body.iterator({ destroyOnReturn: false })
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await chunks.return?.()),
    },
    { highWaterMark: 0 },
  )
}
