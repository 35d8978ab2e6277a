import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { writeRows } from '#app/dataset-rows/rows.server.ts'
import { csvNoteOf, mediaTypes } from '#app/datasets/format.ts'
import { allowData } from '#app/entitlements/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { addressOf, localFile } from '#app/storage/storage.server.ts'
import { byteRange, isKnown } from './byte-range.ts'
import { chosenFormats, FILES, rawText } from './download.ts'
import { mediaTypeOf } from './download.server.ts'
import { readLink } from './file-link.server.ts'
import { fileOf } from './made-file.server.ts'
import { sendBytes } from './send-bytes.server.ts'
import { systemSend } from './system-send.server.ts'
import { findTaken, type Taken } from './taken.server.ts'
import { Transfers } from './transfers.server.ts'

const PART = 'Partial downloads begin within the file.'
/** Of one person. Programs that fetch a file in parts ask for a few of them at once. */
const transfers = new Transfers(8)

/** The files themselves, at addresses that were signed for one person: in whole or in part, as often as they like while the address lasts. */
export const fileApi: Api = async (app) => {
  app.get(`${FILES}/*`, {
    schema: {
      summary: 'A file of a dataset, by the address that a download was answered with',
      tags: ['data'],
      params: z.object({ '*': z.string() }),
      querystring: z.object({
        link: z.string('A signed link is needed').max(300, 'This is not a link that we have made.'),
        raw: rawText,
      }),
    },
    config: { limit: perVisitor('files', 1200, '10 minutes') },
    async handler(request, reply) {
      const { visit, params, query } = request
      reply.headers({ 'cache-control': 'private, no-cache, no-transform', vary: 'cookie, authorization' })
      // A program that saves whatever comes would keep the page for signing in as the file.
      const viewer = await allow({ ...visit, isPage: false }, 'workspace.enter')
      const { download, seconds } = readLink(params['*'], query.link)
      const taken = await findTakenBy(viewer, download, query.raw)
      const note = taken.format && csvNoteOf(taken.format, taken.version.originalFormat)
      if (note) reply.header('csv-note', note)
      reply.header('content-disposition', `attachment; filename="${params['*']}"`)
      return taken.choice ? sendChosen(request, reply, taken) : sendFile(request, reply, taken, { name: params['*'], seconds })
    },
  })
}

/** Asked anew each time: whoever may not have the data any more gets no more of it. */
async function findTakenBy(viewer: Viewer, download: string, raw: '0' | '1' | undefined): Promise<Taken> {
  const taken = await findTaken(download, { hidden: may(viewer, 'products.write'), raw })
  if (taken && taken.userId !== viewer.id)
    stop('forbidden', 'This link was made for another account. Start the download yourself.', { code: 'link_of_another' })
  if (!taken) stop('gone', 'This file is not there any more.')
  await allowData(taken.product, viewer)
  // Nobody may have asked for the raw one before.
  if (raw !== '1' || taken.choice || taken.file || !taken.format) return taken
  return { ...taken, file: await fileOf(taken.version, taken.format) }
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, file, userId }: Taken,
  link: { name: string; seconds: number },
) {
  if (!file) stop('gone', 'This file is not there any more.')
  const { storageKey, sha256, bytes, format } = file
  const mediaType = mediaTypeOf(format, version)
  const etag = `"${sha256}"`
  reply.headers({ etag, 'accept-ranges': 'bytes', 'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
  // The signature is for fetching alone.
  const elsewhere = request.method === 'GET' && (await addressOf(storageKey, { fileName: link.name, mediaType, seconds: link.seconds }))
  if (elsewhere) return reply.header('referrer-policy', 'no-referrer').redirect(elsewhere, 302)
  const isSame = [undefined, etag].includes(header(request, 'if-range'))
  const range = isSame ? byteRange(request.headers.range, bytes) : undefined
  if (range === 'unsatisfiable') return reply.status(416).header('content-range', `bytes */${bytes}`).send(PART)
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  reply.status(range ? 206 : 200).headers({ 'content-type': mediaType, 'content-length': end - start + 1 })
  if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`)
  const isHead = request.method === 'HEAD'
  const place = isHead ? '' : await localFile(storageKey)
  if (place === undefined) stop('unavailable', 'We cannot reach this file just now. Please try again in a moment.', { retryAfter: 30 })
  if (!isHead) transfers.begin(userId, reply.raw)
  // The framework would hand on each piece by several more hands, and would count the bytes of an answer that has none.
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)))
  if (isHead) reply.raw.end()
  else await sendBytes(place, reply.raw, { start, end }, await systemSend())
  return reply
}

/** Written while it is read, so nobody knows its size before its end, and it cannot be taken in parts. */
function sendChosen(request: FastifyRequest, reply: FastifyReply, { version, choice, format, userId }: Taken) {
  const written = chosenFormats.find((each) => each === format) ?? 'csv'
  reply.headers({ 'content-type': mediaTypes[written], 'accept-ranges': 'none' })
  if (request.method === 'HEAD' || !choice) return reply.send()
  const left = transfers.begin(userId, reply.raw)
  return reply.send(Readable.from(writeRows(version, choice, written, { signal: left, person: userId }), { objectMode: false }))
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  return headers[name]?.toString()
}
