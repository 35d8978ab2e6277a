import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { additionLimits, type FileRefusal, typeOfFile } from './enquiry-file.ts'
import { addFiles, findEnquiryPage, type GivenFile } from './enquiry-page.server.ts'
import { findEnquiryId } from '#app/leads/lead/page-link.server.ts'

/** Wide, because a whole office can share an address. */
const uploadLimit: Limit = { name: 'enquiry-files', points: 60, seconds: 600 }
/** Files in memory at the same time: about 40 MB each. */
const MOST_AT_ONCE = 3
/** The frame of a form around its files. */
const FRAME_BYTES = 64 * 1024
/** A body that is too large is read to its end, so that the browser sees the reply; longer ones are cut off. */
const MOST_READ_BYTES = 5 * additionLimits.bytes
const LONGEST_NAME = 120

let running = 0

/** The file form of the visitor's own page. It works without script, so every outcome is a redirect to the page. */
export const enquiryFileApi: Api = async (app) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', async (_request: FastifyRequest, body: AsyncIterable<Buffer>) => readBounded(body))

  app.post('/enquiry/:token/files', {
    schema: {
      summary: 'Add files to an enquiry, from the visitor’s own page',
      params: z.object({ token: z.string().max(100, 'There is no such page.') }),
      response: { 303: redirected },
    },
    config: { takes: ['multipart/form-data'], isRefusedLast: true },
    async onRequest({ params, requestContext }, reply) {
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
      const token = z.object({ token: z.string() }).parse(params).token
      const refused = await refusalBefore(token, requestContext.address)
      if (refused) return reply.redirect(`${pathOf(token)}${refused === 'closed' ? '' : `?file=${refused}`}`, 303)
      running += 1
      reply.raw.once('close', () => {
        running -= 1
      })
    },
    async handler({ params: { token }, body, headers }, reply) {
      const id = await findEnquiryId(token)
      const refused = id ? await take(id, body, headers['content-type'] ?? '') : 'closed'
      return reply.redirect(`${pathOf(token)}?file=${refused ?? 'added'}`, 303)
    },
  })
}

async function refusalBefore(token: string, address: string): Promise<FileRefusal | undefined> {
  try {
    await consume(uploadLimit, visitorKey(address))
  } catch (error) {
    if (error instanceof Stop) return 'often'
    throw error
  }
  const id = await findEnquiryId(token)
  const page = id && (await findEnquiryPage(id))
  if (!page || page.isQuarantined) return 'closed'
  return running >= MOST_AT_ONCE ? 'busy' : undefined
}

/** The body, or undefined when it is too large. */
async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST_READ_BYTES) break
    if (size <= additionLimits.bytes + FRAME_BYTES) chunks.push(chunk)
    else chunks = []
  }
  return size <= additionLimits.bytes + FRAME_BYTES ? Buffer.concat(chunks) : undefined
}

async function take(id: string, body: unknown, contentType: string): Promise<FileRefusal | undefined> {
  if (body === undefined) return 'size'
  if (!Buffer.isBuffer(body)) return 'missing'
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData().catch(() => undefined)
  // A file field without a choice is an empty file without a name.
  const given = (form?.getAll('files') ?? []).filter((part) => part instanceof File).filter(({ name, size }) => name !== '' || size > 0)
  if (given.length === 0) return 'missing'
  if (given.length > additionLimits.files) return 'count'
  const files: GivenFile[] = []
  for (const file of given) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (bytes.length === 0) return 'empty'
    const name = fileName(file.name)
    const type = typeOfFile(name, bytes)
    if (!type) return 'type'
    files.push({ name, type, bytes })
  }
  return addFiles(id, files)
}

/** Without folders, and with its ending when it is shortened. */
function fileName(given: string): string {
  const name = oneLine(given.split(/[/\\]/).at(-1) ?? '')
  const ending = /\.\w{1,5}$/.exec(name)?.[0] ?? ''
  return name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME - ending.length) + ending : name
}

function pathOf(token: string): string {
  return `/enquiry/${encodeURIComponent(token)}`
}
