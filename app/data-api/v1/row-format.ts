import type { FastifyRequest } from 'fastify'
import { mediaTypes } from '#app/datasets/catalog/format.ts'
import { stop } from '#app/platform/errors/stop.ts'

export const rowFormats = ['json', 'jsonl', 'csv', 'parquet'] as const

export type RowFormat = (typeof rowFormats)[number]

/** By media type; a wildcard gets the first. */
const formatOf: ReadonlyMap<string, RowFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
  ['text/csv', 'csv'],
  ['application/vnd.apache.parquet', 'parquet'],
])

/** Returns the requested format: by `format`, else by `Accept`. Throws 406 if none fits. */
export function rowFormat<Format extends RowFormat>(
  request: Pick<FastifyRequest, 'type'>,
  asked: Format | undefined,
  formats: readonly [Format, ...Format[]],
): Format {
  if (asked) return asked
  const types = [...formatOf.keys()].filter((type) => formats.some((format) => format === formatOf.get(type)))
  const wished = formatOf.get(String(request.type(types)))
  const found = formats.find((format) => format === wished)
  if (found) return found
  const names = formats.map((format) => mediaTypes[format].split(';')[0])
  return stop('notAcceptable', `Available formats: ${names.join(', ')}.`, { code: 'not_acceptable' })
}
