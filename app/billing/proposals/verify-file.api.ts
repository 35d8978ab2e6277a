import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Limit, isWithin, visitorKey } from '#app/platform/guard/limits.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'

/** Wide, because a whole office can share an address. */
const limit: Limit = { name: 'verify-file', points: 30, seconds: 600 }
const MOST_BYTES = 20 * 1024 * 1024
/** The frame of a form around its file. */
const FRAME_BYTES = 64 * 1024
/** A body that is too large is read to its end, so that the browser sees the reply; longer ones are cut off. */
const MOST_READ_BYTES = 3 * MOST_BYTES
/** Files in memory at the same time: about 40 MB each. */
const MOST_AT_ONCE = 3

let running = 0

/** The file form of /verify. It works without script, so every outcome is a redirect to the page. Nothing is kept but for its fingerprint in the address. */
export const verifyFileApi: Api = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', async (_request: FastifyRequest, body: AsyncIterable<Buffer>) => readBounded(body))

  app.post('/verify/file', {
    schema: { summary: 'Check whether a signed file is genuine', tags: ['leads'], response: { 303: redirected } },
    config: { takes: ['multipart/form-data'], isRefusedLast: true },
    async onRequest({ requestContext }, reply) {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      if (running >= MOST_AT_ONCE || !(await isWithin(limit, visitorKey(requestContext.address))))
        return reply.redirect('/verify?file=often', 303)
      running += 1
      reply.raw.once('close', () => {
        running -= 1
      })
    },
    handler: async ({ body, headers }, reply) => reply.redirect(`/verify?${await outcomeOf(body, headers['content-type'] ?? '')}`, 303),
  })
}

/** The body, or undefined when it is too large. */
async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST_READ_BYTES) break
    if (size <= MOST_BYTES + FRAME_BYTES) chunks.push(chunk)
    else chunks = []
  }
  return size <= MOST_BYTES + FRAME_BYTES ? Buffer.concat(chunks) : undefined
}

const bufferBody = z.instanceof(Buffer)

async function outcomeOf(body: unknown, contentType: string): Promise<string> {
  if (body === undefined) return 'file=large'
  const bytes = bufferBody.safeParse(body)
  if (!bytes.success) return 'file=none'
  const form = await new Response(new Uint8Array(bytes.data), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof File) || file.size === 0) return 'file=none'
  const hash = createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex')
  return `hash=${hash}#result`
}
