import { Readable } from 'node:stream'
import { z } from 'zod'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rawText } from '#app/datasets/download/download.ts'
import { csvNoteOf, type FileFormat, mediaTypes, rawOf } from '#app/datasets/catalog/format.ts'
import { noteSiteRead } from '#app/datasets/access/site-read.server.ts'
import { readChoice } from '#app/datasets/rows/row-choice.ts'
import { parsedRows, textOfLines } from '#app/datasets/rows/row-lines.ts'
import { readWrittenPage } from '#app/datasets/rows/rows.server.ts'
import { noteReading } from '#app/data-api/keys/usage.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { guarded } from '#app/platform/tables/formula-guard.ts'
import { leaving } from '#app/platform/http/leaving.server.ts'
import { bytes, unchanged } from '#app/platform/http/response-schema.ts'
import { type DataVersion, sourceOf } from '#app/datasets/rows/parquet-file.server.ts'
import { identifier, literal, queryDuckdb } from '#app/datasets/rows/engine.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Column } from '#app/datasets/catalog/column.ts'
import { callerOf, counted } from './caller.server.ts'
import { cursorText, DATASETS, limitText, numberOr, pageLimits, rowPage, selectText, sortText, versionText } from './dataset.ts'
import { openRows, pageSize, type Version } from './dataset.server.ts'
import { isPacked, packed, pageBody, whole } from './page-body.server.ts'
import { gzipTagOf, isKnown, nextLink, tagOf } from './page-headers.server.ts'
import { readRowPosition, writeRowPosition } from './place.ts'
import { rowFormat, rowFormats } from './row-format.ts'

const params = z.object({ slug: z.string().max(100, 'There is no such dataset.') })

/** Any other name is a column filter. */
const querystring = z
  .object({
    select: selectText,
    sort: sortText,
    limit: limitText,
    cursor: cursorText,
    version: versionText,
    format: z.enum(rowFormats, `format must be one of ${rowFormats.join(', ')}`).optional(),
    raw: rawText,
  })
  .catchall(z.union([z.string(), z.array(z.string())]))

/** JSON is compressed for those who accept it. */
const VARY = 'accept, accept-encoding, authorization, cookie'

/** The rows of a dataset, page by page. */
export const rowApi: Api = async (app) => {
  app.get(`${DATASETS}/:slug/rows`, {
    schema: {
      summary: 'Read rows of a dataset',
      description: [
        '`select=a,b` selects columns. `column=5` and `column[gte]=5` filter: eq, ne, gt, gte, lt, lte, in (comma-separated values), contains, starts, null (true or false);',
        'rows must match all filters. `sort=price` sorts by one column, `sort=-price` in descending order. `version=3` pins a published version.',
        'Page with `cursor`: the header `Link` (`rel="next"`) has the URL of the next page, and JSON has `nextCursor` as well. Pages of very long rows have fewer rows.',
        'Format by `Accept` or `format`: json, jsonl, csv, parquet.',
      ].join(' '),
      tags: ['data'],
      params,
      querystring,
      response: {
        200: {
          description: 'A page of rows.',
          content: {
            'application/json': { schema: rowPage },
            'application/x-ndjson': { schema: z.string() },
            'text/csv': { schema: z.string() },
            'application/vnd.apache.parquet': { schema: bytes },
          },
        },
        304: unchanged,
      },
    },
    async handler(request, reply) {
      const {
        requestContext,
        params: { slug },
        query,
        headers,
      } = request
      const caller = callerOf(requestContext)
      const { limit: asked, cursor, version: pinned, format: wished, raw, ...wanted } = query
      const format = rowFormat(request, wished, rowFormats)
      const place = readRowPosition(cursor, numberOr(pinned, undefined))
      const { product, version } = await openRows(caller, slug, place.version)
      const limit = pageSize(asked, version)
      const choice = readChoice(wanted, version.columns)
      const etag = tagOf([version.id, choice, limit, place.cursor, format, format === 'csv' && raw !== '1' ? 'guarded' : ''])
      reply.headers({ etag, 'content-type': mediaTypes[format], 'dataset-version': String(version.number) })
      if (format === 'json') reply.header('vary', VARY)
      const note = csvNoteOf(rawOf(format, raw))
      if (note) reply.header('csv-note', note)
      return counted(caller, async () => {
        const known = [etag, gzipTagOf(etag)].find((tag) => isKnown(headers['if-none-match'], tag))
        const isRead = request.method !== 'HEAD'
        if (known && caller.key && isRead) noteReading(caller.key, product.id, 0)
        if (known) return reply.status(304).header('etag', known).send(null)
        const page = await readWrittenPage(version, choice, {
          limit,
          cursor: place.cursor,
          signal: leaving(reply.raw),
          person: caller.person.id,
        })
        const next = page.nextCursor && writeRowPosition(version.number, page.nextCursor)
        if (next) reply.header('link', nextLink(`${DATASETS}/${product.slug}/rows`, query, next))
        if (caller.key && isRead) noteReading(caller.key, product.id, page.rows)
        else if (isRead && (place.cursor || limit > pageLimits.usual)) await noteSiteRead(product.id, caller.person)
        if (format === 'json') {
          const body = pageBody({ ...page, nextCursor: next }, version.number)
          if (isPacked(body, headers['accept-encoding']?.toString()))
            return reply.headers({ etag: gzipTagOf(etag), 'content-encoding': 'gzip' }).send(await packed(body))
          if (body.bytes <= WHOLE_BYTES) return reply.send(whole(body))
          return reply.header('content-length', body.bytes).send(Readable.from(body.pieces(), { objectMode: false }))
        }
        return reply.send(await write(textOfLines(page.lines), rawOf(format, raw), version, choice.select))
      })
    },
  })
}

/** A longer page is unpacked no faster than the client reads it. */
const WHOLE_BYTES = 256 * 1024

async function write(lines: string, format: FileFormat, version: Version, select: string[] | undefined): Promise<string | Buffer> {
  if (format === 'jsonl') return lines
  const names = select ?? version.columns.map(({ name }) => name)
  if (format === 'parquet') return pageAsParquet(version, names, lines)
  const columns = names.flatMap((name) => version.columns.find((column) => column.name === name) ?? [])
  return pageAsCsv(columns, parsedRows(lines), format === 'csv' ? guarded : asItIs)
}

/** A page of rows as Parquet with the types of the version; times are UTC. */
async function pageAsParquet(version: DataVersion, names: readonly string[], lines: string): Promise<Buffer> {
  const { columns } = await sourceOf(version)
  const folder = path.resolve(env.DATA_DIR, 'cache', 'pages')
  const file = path.join(folder, crypto.randomUUID())
  const chosen = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const types = chosen.map(({ name, kept }) => `${literal(name)}: ${literal(kept.startsWith('TIMESTAMP') ? 'TIMESTAMP' : kept)}`)
  const given = `read_json(${literal(`${file}.jsonl`)}, format = 'newline_delimited', columns = {${types.join(', ')}})`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(`${file}.jsonl`, lines, { mode: 0o600 })
    await queryDuckdb(
      `COPY (SELECT ${chosen.map(({ name }) => identifier(name)).join(', ')} FROM ${given}) TO ${literal(`${file}.parquet`)} (FORMAT parquet)`,
    )
    return await readFile(`${file}.parquet`)
  } finally {
    await Promise.all(['jsonl', 'parquet'].map((end) => rm(`${file}.${end}`, { force: true })))
  }
}

type Row = Record<string, unknown>

/**
 * A page of rows as RFC 4180, with a header line. A missing value is empty, an empty text is `""`. Only texts go through `guard`, not
 * numbers and times, which are texts in JSON.
 */
function pageAsCsv(columns: readonly Pick<Column, 'name' | 'type'>[], rows: readonly Row[], guard: (text: string) => string): string {
  const nothing = columns.length === 1 ? '""' : ''
  const lines = rows.map((row) => columns.map(({ name, type }) => cell(row[name], type === 'text' ? guard : asItIs) ?? nothing).join(','))
  return [columns.map(({ name }) => inQuotes(guard(name))).join(','), ...lines, ''].join('\r\n')
}

const asItIs = (text: string) => text

function cell(value: unknown, guard: (text: string) => string): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return inQuotes(guard(value))
  return inQuotes(JSON.stringify(value))
}

function inQuotes(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
