import { mediaTypes } from '#app/datasets/catalog/format.ts'
import { stop } from '#app/platform/stop.ts'

export const rowFormats = ['json', 'jsonl', 'csv', 'parquet'] as const

export type RowFormat = (typeof rowFormats)[number]

/** By media type; a wildcard gets the first. */
const accepted: [type: string, format: RowFormat][] = [
  ['application/json', 'json'],
  ['application/x-ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
  ['text/csv', 'csv'],
  ['application/vnd.apache.parquet', 'parquet'],
]

/**
 * Returns the requested format: by `format`, else by `Accept` (highest quality, then first named; a wildcard means the first of
 * `formats`). Throws 406 if none fits.
 */
export function rowFormat<Format extends RowFormat>(
  accept: string | undefined,
  asked: Format | undefined,
  formats: readonly [Format, ...Format[]],
): Format {
  if (asked) return asked
  if (!accept?.trim()) return formats[0]
  const offered = accepted.flatMap(([type, known]) => formats.flatMap((format) => (format === known ? [{ type, format }] : [])))
  const wishes = accept.split(',').map(readWish)
  const isRefused = (type: string) => wishes.some((wish) => wish.type === type && wish.weight === 0)
  for (const { type, weight } of wishes.toSorted((one, other) => other.weight - one.weight)) {
    const found = weight > 0 ? offered.find((each) => !isRefused(each.type) && covers(type, each.type)) : undefined
    if (found) return found.format
  }
  const types = formats.map((format) => mediaTypes[format].split(';')[0])
  return stop('notAcceptable', `Available formats: ${types.join(', ')}.`, { code: 'not_acceptable' })
}

function readWish(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  return { type, weight: Number.isFinite(weight) ? weight : 0 }
}

function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}
