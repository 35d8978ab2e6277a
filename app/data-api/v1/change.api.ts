import { z } from 'zod'
import { noteReading } from '#app/data-api/keys/usage.server.ts'
import { noteSiteRead } from '#app/datasets/access/site-read.server.ts'
import { mediaTypes } from '#app/datasets/catalog/format.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { callerOf, counted } from './caller.server.ts'
import { readChanges } from './changes.server.ts'
import { type ChangePage, changePage, cursorText, DATASETS, limitText, numberOr, versionNumber, versionText } from './dataset.ts'
import { openRows, pageSize } from './dataset.server.ts'
import { isKnown, nextLink, tagOf } from './page-headers.server.ts'
import { readRowPosition, writeRowPosition } from './place.ts'
import { rowFormat } from './row-format.ts'
import { unchanged } from '#app/platform/http/response-schema.ts'

const formats = ['json', 'jsonl'] as const
const params = z.object({ slug: z.string().max(100, 'There is no such dataset.') })
const querystring = z.strictObject({
  since: versionNumber('since must be a version number'),
  version: versionText,
  limit: limitText,
  cursor: cursorText,
  format: z.enum(formats, `format must be one of ${formats.join(', ')}`).optional(),
})

/** The changes between two versions of a dataset, to keep a copy up to date. */
export const changeApi: Api = async (app) => {
  app.get(`${DATASETS}/:slug/changes`, {
    schema: {
      summary: 'Read changes since a version',
      description: [
        'Rows removed and added between two published versions: from `since` to `version`, or to the current one. Rows are compared as a whole, by the',
        'columns that both versions have, so a changed row is one removed and one added. Page with `cursor` as with rows. JSON or JSONL.',
      ].join(' '),
      tags: ['data'],
      params,
      querystring,
      response: { 200: changePage, 304: unchanged },
    },
    async handler(request, reply) {
      const {
        requestContext,
        params: { slug },
        query,
        headers,
      } = request
      const caller = callerOf(requestContext)
      const format = rowFormat(request, query.format, formats)
      const place = readRowPosition(query.cursor, numberOr(query.version, undefined))
      const { product, version } = await openRows(caller, slug, place.version)
      const { version: before } = await openRows(caller, slug, Number(query.since))
      if (before.number > version.number) refuseSince(version.number)
      const limit = pageSize(query.limit, version)
      const after = readAfter(place.cursor)
      const etag = tagOf(['changes', before.id, version.id, limit, after, format])
      reply.headers({ etag, 'content-type': mediaTypes[format], 'dataset-version': String(version.number) })
      const isRead = request.method !== 'HEAD'
      return counted(caller, async () => {
        if (isKnown(headers['if-none-match'], etag)) {
          if (caller.key && isRead) noteReading(caller.key, product.id, 0)
          return reply.status(304).send(null)
        }
        const { data, next } = await readChanges(before, version, { limit, after })
        const nextCursor = next === undefined ? null : writeRowPosition(version.number, String(next))
        if (nextCursor) reply.header('link', nextLink(`${DATASETS}/${product.slug}/changes`, query, nextCursor))
        if (caller.key && isRead) noteReading(caller.key, product.id, data.length)
        else if (isRead) await noteSiteRead(product.id, caller.person)
        const page = { data, nextCursor, since: before.number, version: version.number }
        return reply.serializer((given: ChangePage) => write(given, format)).send(page)
      })
    },
  })
}

function write(page: ChangePage, format: (typeof formats)[number]): string {
  return format === 'json' ? JSON.stringify(page) : page.data.map((change) => `${JSON.stringify(change)}\n`).join('')
}

function readAfter(cursor: string | undefined): number {
  if (cursor === undefined) return -1
  if (/^\d{1,12}$/.test(cursor)) return Number(cursor)
  const sentence = 'This cursor does not belong to changes.'
  return stop('unprocessable', sentence, { code: 'validation_failed', errors: { cursor: sentence } })
}

function refuseSince(current: number): never {
  const sentence = `since must be a version before ${current}.`
  return stop('unprocessable', sentence, { code: 'validation_failed', errors: { since: sentence } })
}
