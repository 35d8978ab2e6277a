import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { writeRows } from '#app/dataset-rows/rows.server.ts'
import { csvNoteOf, fileFormats, mediaTypes, rawOf } from '#app/datasets/format.ts'
import { isInScope } from '#app/api-keys/key-holder.server.ts'
import { allowData } from '#app/entitlements/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { addressOf, localFile } from '#app/storage/storage.server.ts'
import { byteRange, isKnown } from '#app/dataset-files/byte-range.ts'
import { chosenFormats, FILES, rawText } from '#app/dataset-files/download.ts'
import { mediaTypeOf, openFile } from '#app/dataset-files/download.server.ts'
import { readLink } from '#app/dataset-files/file-link.server.ts'
import { fileOf } from '#app/dataset-files/made-file.server.ts'
import { sendBytes } from '#app/dataset-files/send-bytes.server.ts'
import { systemSend } from '#app/dataset-files/system-send.server.ts'
import { findTaken, type Taken } from '#app/dataset-files/taken.server.ts'
import { Transfers } from '#app/dataset-files/transfers.server.ts'
import { type Caller, callerOf, counted, meetCaller, noteDenied } from './caller.server.ts'
import { DATASETS, numberOr, versionText } from './dataset.ts'
import { openForFiles } from './dataset.server.ts'
import { quotaHeaders } from './quota-headers.ts'
import { fileAnswer, redirected, unchanged } from '#app/platform/answer-schema.ts'

const PART = 'Partial downloads begin within the file.'
const fileTypes = ['text/csv', 'application/json', 'application/x-ndjson', 'application/vnd.apache.parquet'] as const
const wholeFile = fileAnswer('The file.', ...fileTypes)
const partOfFile = fileAnswer('The part that `Range` asked for.', ...fileTypes)
/** Of one person. Programs that fetch a file in parts ask for a few of them at once. */
const transfers = new Transfers(8)

/**
 * The files themselves, at addresses that were signed for one person: in whole or in part, as often as they like while the address lasts. That person sends
 * the cookie of their browser, or an API key of theirs, whose quota counts it.
 */
export const fileApi: Api = async (app) => {
  app.addHook('onError', async ({ visit }, _reply, error) => noteDenied(visit, error))
  app.addHook(
    'onSend',
    async (_request, reply) => void (reply.statusCode === 401 && reply.header('www-authenticate', 'Bearer realm="Data API"')),
  )
  app.get(`${FILES}/*`, {
    schema: {
      summary: 'A file of a dataset, by the address that a download was answered with',
      tags: ['data'],
      params: z.object({ '*': z.string() }),
      querystring: z.object({
        link: z.string('A signed link is needed').max(300, 'This is not a link that we have made.'),
        raw: rawText,
      }),
      response: { 200: wholeFile, 206: partOfFile, 302: redirected, 304: unchanged },
    },
    config: { limit: perVisitor('files', 1200, '10 minutes') },
    async handler(request, reply) {
      const { visit, params, query } = request
      reply.headers({ 'cache-control': 'private, no-cache, no-transform', vary: 'cookie, authorization' })
      const name = params['*']
      // A program that saves whatever comes would keep the page for signing in as the file.
      await meetCaller({ ...visit, isPage: false }, visit)
      const caller = callerOf(visit)
      const { download, seconds } = readLink(name, query.link)
      const taken = await findTakenBy(caller, download, query.raw)
      const note = taken.format && csvNoteOf(taken.format, taken.version.originalFormat)
      if (note) reply.header('csv-note', note)
      reply.header('content-disposition', `attachment; filename="${name}"`)
      const ready = await counted(caller, async () =>
        taken.choice ? 'chosen' : prepareFile(request, reply, taken, { name, seconds, caller }),
      )
      if (caller.key) reply.headers(quotaHeaders(caller.used, caller.key.monthlyQuota))
      return ready === 'chosen' ? sendChosen(request, reply, taken) : ready(reply)
    },
  })
}

/** The same files at addresses that stay, for programs: what a download manager is given, and comes back to. */
export const datasetFileApi: Api = async (app) => {
  app.get(`${DATASETS}/:slug/download`, {
    schema: {
      summary: 'Download a dataset as a file',
      description: [
        'The whole file of the current version, or of the one that `version` names. `format`: csv (the default), csv-raw, json, jsonl, parquet or original.',
        '`raw=1` with csv is csv-raw: values as they are, without the apostrophe that keeps a spreadsheet from running a cell. `Range` and `If-Range` resume a',
        'download, `ETag` and `Repr-Digest` are its SHA-256. The first request for a format may be 503 with code `being_made`: try again after `Retry-After`.',
      ].join(' '),
      tags: ['data'],
      params: z.object({ slug: z.string().max(100, 'There is no such dataset.') }),
      querystring: z.strictObject({
        format: z
          .enum(fileFormats, `format is one of ${fileFormats.join(', ')}`)
          .optional()
          .describe('The format of the file; csv unless it is said'),
        version: versionText,
        raw: rawText,
      }),
      response: { 200: wholeFile, 206: partOfFile, 302: redirected, 304: unchanged },
    },
    async handler(request, reply) {
      const {
        visit,
        params: { slug },
        query,
      } = request
      const caller = callerOf(visit)
      const found = await openForFiles(caller, slug)
      const format = rawOf(query.format ?? 'csv', query.raw)
      const { version, file, name } = await openFile(
        found,
        caller.person,
        { format, version: numberOr(query.version, undefined) },
        visit.address,
      )
      const note = csvNoteOf(format, version.originalFormat)
      if (note) reply.header('csv-note', note)
      reply.headers({
        'content-disposition': `attachment; filename="${name}"`,
        'dataset-version': String(version.number),
        'cache-control': 'private, no-cache, no-transform',
      })
      const taken = { version, file, userId: caller.person.id }
      const ready = await counted(caller, () => prepareFile(request, reply, taken, { name, seconds: 0, caller }))
      // The answer is written past the hook that adds them elsewhere.
      if (caller.key) reply.headers(quotaHeaders(caller.used, caller.key.monthlyQuota))
      return ready(reply)
    },
  })
}

/** Asked anew each time: whoever may not have the data any more gets no more of it. */
async function findTakenBy({ person, key }: Caller, download: string, raw: '0' | '1' | undefined): Promise<Taken> {
  const taken = await findTaken(download, { hidden: person.role !== 'customer', raw })
  if (taken && taken.userId !== person.id)
    stop('forbidden', 'This link was made for another account. Start the download yourself.', { code: 'link_of_another' })
  if (!taken) stop('gone', 'This file is not there any more.')
  if (key && !isInScope(key, taken.product.id)) stop('forbidden', 'This key does not open this dataset.', { code: 'key_scope' })
  await allowData(taken.product, person)
  // Nobody may have asked for the raw one before.
  if (raw !== '1' || taken.choice || taken.file || !taken.format) return taken
  return { ...taken, file: await fileOf(taken.version, taken.format) }
}

/** Sends what was prepared. */
type Sending = (reply: FastifyReply) => Promise<FastifyReply>
type FileLink = { name: string; /** How long an address of a bucket lasts. */ seconds: number; caller: Caller }

/** Everything that can be refused is looked at before a request is counted; the rest is sent past the framework. */
async function prepareFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, file, userId }: Pick<Taken, 'version' | 'file' | 'userId'>,
  { name, seconds, caller }: FileLink,
): Promise<Sending> {
  if (!file) stop('gone', 'This file is not there any more.')
  const { storageKey, sha256, bytes, format } = file
  const mediaType = mediaTypeOf(format, version)
  const etag = `"${sha256}"`
  reply.headers({ etag, 'accept-ranges': 'bytes', 'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` })
  if (isKnown(request.headers['if-none-match'], etag)) return async () => reply.status(304).send()
  // The signature is for fetching alone. A program would send its key to the bucket as well, which refuses two proofs.
  const elsewhere =
    request.method === 'GET' && seconds > 0 && !caller.key && (await addressOf(storageKey, { fileName: name, mediaType, seconds }))
  if (elsewhere) return async () => reply.header('referrer-policy', 'no-referrer').redirect(elsewhere, 302)
  const isSame = [undefined, etag].includes(header(request, 'if-range'))
  const range = isSame ? byteRange(request.headers.range, bytes) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${bytes}`)
    stop('unsatisfiable', PART)
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  const isHead = request.method === 'HEAD'
  const place = isHead ? '' : await localFile(storageKey)
  if (place === undefined) stop('unavailable', 'We cannot reach this file just now. Please try again in a moment.', { retryAfter: 30 })
  if (!isHead) transfers.begin(userId, reply.raw)
  return async () => {
    reply.status(range ? 206 : 200).headers({ 'content-type': mediaType, 'content-length': end - start + 1 })
    if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`)
    // The framework would hand on each piece by several more hands, and would count the bytes of an answer that has none.
    reply.hijack()
    reply.raw.writeHead(reply.statusCode, Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)))
    if (isHead) reply.raw.end()
    else await sendBytes(place, reply.raw, { start, end }, await systemSend())
    return reply
  }
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
