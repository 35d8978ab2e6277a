import { z } from 'zod/mini'
import { dataProduct } from '#app/datasets/catalog/product.ts'

export const DATASETS = '/api/v1/datasets'

export const datasetList = z.object({ data: z.array(dataProduct) })

const row = z.record(z.string(), z.unknown())

/** A page of rows. `version` is the one they belong to; `nextCursor` is null after the last row. */
export const rowPage = z.object({ data: z.array(row), nextCursor: z.nullable(z.string()), version: z.number() })

/** Rows that are in only one of the two versions, compared as a whole: a changed row is one removed and one added. */
export const changePage = z.object({
  data: z.array(z.object({ op: z.enum(['added', 'removed']), row })),
  nextCursor: z.nullable(z.string()),
  since: z.number(),
  version: z.number(),
})

export type ChangePage = z.infer<typeof changePage>

export const pageLimits = { usual: 100, most: 10_000 } as const

const MOST_VERSIONS = 999_999_999

/** An address holds text; the description of the endpoints shows the integer that it means. */
function asInteger<Schema extends z.ZodMiniType>(schema: Schema, maximum: number): Schema {
  z.globalRegistry.add(schema, { type: 'integer', minimum: 1, maximum })
  return schema
}

const LIMIT = `limit must be a whole number from 1 to ${pageLimits.most}`

/** The `limit` of an address. */
export const limitText = z.optional(
  asInteger(
    z.string(LIMIT).check(
      z.regex(/^\d{1,5}$/, LIMIT),
      z.refine((text) => Number(text) >= 1 && Number(text) <= pageLimits.most, LIMIT),
    ),
    pageLimits.most,
  ),
)

/** The version number of an address. */
export const versionNumber = (sentence: string) => asInteger(z.string(sentence).check(z.regex(/^[1-9]\d{0,8}$/, sentence)), MOST_VERSIONS)

export const versionText = z.optional(versionNumber('version must be a version number'))

/** Comma-separated, or repeated. */
export const selectText = z.optional(z.union([z.string(), z.array(z.string())]))
export const sortText = z.optional(z.union([z.string(), z.array(z.string())]))

export const cursorText = z.optional(z.string('Send one cursor').check(z.maxLength(200, 'Invalid cursor')))

export function numberOr<Other>(text: string | undefined, other: Other): number | Other {
  return text === undefined ? other : Number(text)
}
