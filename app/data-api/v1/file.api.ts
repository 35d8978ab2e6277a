import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { writeRows } from '#app/datasets/rows/rows.server.ts'
import { csvNoteOf, fileFormats, mediaTypes, rawOf } from '#app/datasets/catalog/format.ts'
import { isInScope } from '#app/data-api/keys/key-holder.server.ts'
import { allowData } from '#app/datasets/access/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { beginRawResponse } from '#app/platform/http/raw-response.server.ts'
import { findMembership } from '#app/organizations/organization/membership.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { storageUrl, localFile } from '#app/platform/storage/storage.server.ts'
import { byteRange, isRangeCurrent } from '#app/datasets/download/byte-range.ts'
import { chosenFormats, FILES, rawText } from '#app/datasets/download/download.ts'
import { mediaTypeOf, noteFileDownload, openDownloadFile } from '#app/datasets/download/download.server.ts'
import { readLink } from '#app/datasets/download/file-link.server.ts'
import { fileOf } from '#app/datasets/download/made-file.server.ts'
import { offloadHeaders, sendBytes } from '#app/datasets/download/send-bytes.server.ts'
import { findDownloadRecord, type DownloadRecord } from '#app/datasets/download/download-record.server.ts'
import { beginTransfer } from '#app/datasets/download/transfers.server.ts'
import { type Caller, callerOf, counted, meetCaller, noteDeniedKey } from './caller.server.ts'
import { DATASETS, numberOr, versionText } from './dataset.ts'
import { openForFiles } from './dataset.server.ts'
import { quotaHeaders } from './quota-headers.ts'
import { fileResponseSchema, redirected, unchanged } from '#app/platform/http/response-schema.ts'

const PART = 'The requested range starts after the end of the file.'
const fileTypes = ['text/csv', 'application/json', 'application/x-ndjson', 'application/vnd.apache.parquet', mediaTypes.xlsx] as const
const wholeFile = fileResponseSchema('The file.', ...fileTypes)
const partOfFile = fileResponseSchema('The requested range.', ...fileTypes)

/**
 * Files at URLs signed for one person, whole or in part, as often as needed until the URL expires. The person also sends their session
 * cookie, or an API key whose quota counts the request.
 */
export const fileApi: Api = async (app) => {
  app.addHook('onError', async ({ requestContext }, _reply, error) => noteDeniedKey(requestContext, error))
  app.addHook(
    'onSend',
    async (_request, reply) => void (reply.statusCode === 401 && reply.header('www-authenticate', 'Bearer realm="Data API"')),
  )
  app.get(`${FILES}/*`, {
    schema: {
      summary: 'Fetch a dataset file by its signed URL',
      tags: ['data'],
      params: z.object({ '*': z.string() }),
      querystring: z.object({
        link: z.string('A signed link is needed').max(300, 'This download link is invalid.'),
        raw: rawText,
      }),
      response: { 200: wholeFile, 206: partOfFile, 302: redirected, 304: unchanged },
    },
    config: { limit: perVisitor('files', 1200, '10 minutes') },
    async handler(request, reply) {
      const { requestContext, params, query } = request
      reply.headers({ 'cache-control': 'private, no-cache, no-transform', vary: 'cookie, authorization' })
      const name = params['*']
      // A program would save the sign-in page as the file.
      await meetCaller({ ...requestContext, isPage: false }, requestContext)
      const caller = callerOf(requestContext)
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

/** The same files at permanent URLs, for programs such as download managers. */
export const datasetFileApi: Api = async (app) => {
  app.get(`${DATASETS}/:slug/download`, {
    schema: {
      summary: 'Download a dataset as a file',
      description: [
        'The whole file of the current version, or of `version`. `format`: csv (the default), csv-raw, json, jsonl, parquet, xlsx or original.',
        '`raw=1` with csv is csv-raw: unchanged values, without the apostrophe that keeps a spreadsheet from running a cell. `Range` and `If-Range` resume a',
        'download, `ETag` and `Repr-Digest` are its SHA-256. The first request for a format may be 503 with code `being_made`: try again after `Retry-After`.',
      ].join(' '),
      tags: ['data'],
      params: z.object({ slug: z.string().max(100, 'There is no such dataset.') }),
      querystring: z.strictObject({
        format: z
          .enum(fileFormats, `format must be one of ${fileFormats.join(', ')}`)
          .optional()
          .describe('The format of the file; csv by default'),
        version: versionText,
        raw: rawText,
      }),
      response: { 200: wholeFile, 206: partOfFile, 302: redirected, 304: unchanged },
    },
    async handler(request, reply) {
      const {
        requestContext,
        params: { slug },
        query,
      } = request
      const caller = callerOf(requestContext)
      const found = await openForFiles(caller, slug)
      const format = rawOf(query.format ?? 'csv', query.raw)
      const { version, file, name } = await openDownloadFile(found, caller.person, { format, version: numberOr(query.version, undefined) })
      const note = csvNoteOf(format, version.originalFormat)
      if (note) reply.header('csv-note', note)
      reply.headers({
        'content-disposition': `attachment; filename="${name}"`,
        'dataset-version': String(version.number),
        'cache-control': 'private, no-cache, no-transform',
      })
      const taken = { version, file, userId: caller.person.id }
      const ready = await counted(caller, async () => {
        const prepared = await prepareFile(request, reply, taken, { name, seconds: 0, caller })
        const hasBytes = request.method !== 'HEAD' && !isRangeCurrent(request.headers['if-none-match'], etagOf(file))
        if (hasBytes) await noteFileDownload(found, caller.person, { version, format }, requestContext.address)
        return prepared
      })
      // This response bypasses the hook that adds them elsewhere.
      if (caller.key) reply.headers(quotaHeaders(caller.used, caller.key.monthlyQuota))
      return ready(reply)
    },
  })
}

/** Checked for every request, so revoked access takes effect immediately. */
async function findTakenBy({ person, key }: Caller, download: string, raw: '0' | '1' | undefined): Promise<DownloadRecord> {
  const taken = await findDownloadRecord(download, { hidden: person.role !== 'customer', raw })
  if (taken && taken.userId !== person.id)
    stop('forbidden', 'This link belongs to another account. Start the download yourself.', { code: 'link_of_another' })
  if (!taken) stop('gone', 'This file is no longer available.')
  if (key && !isInScope(key, taken.product.id)) stop('forbidden', 'This key has no access to this dataset.', { code: 'key_scope' })
  // The link of a download belongs to the organization that it was made for, whichever one the browser has chosen since.
  const organization = key ? person.organization : await findMembership(person, taken.organizationId ?? person.id)
  if (!organization) stop('forbidden', 'You are no longer a member of the organization of this download.', { code: 'not_a_member' })
  await allowData(taken.product, { ...person, organization })
  // The raw file may not have been created before.
  if (raw !== '1' || taken.choice || taken.file || !taken.format) return taken
  return { ...taken, file: await fileOf(taken.version, taken.format) }
}

function etagOf({ sha256 }: { sha256: string }): string {
  return `"${sha256}"`
}

type Sending = (reply: FastifyReply) => Promise<FastifyReply>
type FileLink = { name: string; /** How long a URL of a bucket lasts. */ seconds: number; caller: Caller }

/** Everything that can fail is checked before the request counts; the rest is sent past the framework. */
async function prepareFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, file, userId }: Pick<DownloadRecord, 'version' | 'file' | 'userId'>,
  { name, seconds, caller }: FileLink,
): Promise<Sending> {
  if (!file) stop('gone', 'This file is no longer available.')
  const { storageKey, sha256, bytes, format } = file
  const mediaType = mediaTypeOf(format, version)
  const etag = etagOf(file)
  reply.headers({ etag, 'accept-ranges': 'bytes', 'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:` })
  if (isRangeCurrent(request.headers['if-none-match'], etag)) return async () => reply.status(304).send()
  // The signature is for fetching only. A program would also send its key to the bucket, which rejects two credentials.
  const elsewhere =
    request.method === 'GET' && seconds > 0 && !caller.key && (await storageUrl(storageKey, { fileName: name, mediaType, seconds }))
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
  if (place === undefined) stop('unavailable', 'This file is temporarily unavailable. Please try again in a moment.', { retryAfter: 30 })
  const offload = isHead ? undefined : offloadHeaders(storageKey, place)
  // The proxy reads `Range` and `If-Range` again, compares `If-Range` with the ETag of this response, and adds its own `Accept-Ranges`.
  if (offload)
    return async () =>
      reply
        .removeHeader('accept-ranges')
        .headers({ 'content-type': mediaType, ...offload })
        .send()
  if (!isHead) await beginTransfer(userId, reply.raw)
  return async () => {
    reply.status(range ? 206 : 200).headers({ 'content-type': mediaType, 'content-length': end - start + 1 })
    if (range) reply.header('content-range', `bytes ${start}-${end}/${bytes}`)
    const response = beginRawResponse(request, reply)
    if (isHead) response.end()
    else await sendBytes(place, response, { start, end })
    return reply
  }
}

/** Streamed while it is written: its size is unknown until the end, and ranges are not possible. */
async function sendChosen(request: FastifyRequest, reply: FastifyReply, { version, choice, format, userId }: DownloadRecord) {
  const written = chosenFormats.find((each) => each === format) ?? 'csv'
  reply.headers({ 'content-type': mediaTypes[written], 'accept-ranges': 'none' })
  if (request.method === 'HEAD' || !choice) return reply.send()
  const left = await beginTransfer(userId, reply.raw)
  return reply.send(Readable.from(writeRows(version, choice, written, { signal: left, person: userId }), { objectMode: false }))
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  return headers[name]?.toString()
}
