import { z } from 'zod/mini'

export const MISSING_PATHS = '/api/missing-paths'

/** So many are remembered. */
export const MOST_MISSING = 5000

/** A path at which there was nothing. Of `hits`, `botHits` are those of programs that say so. `suggestion` is a page that is written much like it. */
export const missingPath = z.object({
  path: z.string(),
  hits: z.number(),
  botHits: z.number(),
  referrer: z.nullable(z.string()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  ignoredAt: z.nullable(z.string()),
  suggestion: z.nullable(z.string()),
})

export type MissingPath = z.infer<typeof missingPath>

export const missingPathPage = z.object({ items: z.array(missingPath), total: z.number() })

const ROWS = 'A page has 1 to 200 rows.'
const START = 'A page begins at a row from 0 on.'

/** `people` are paths that someone else than a program asked for. */
export const missingPathQuery = z.object({
  sort: z._default(z.enum(['hits', 'lastSeenAt', 'path'], 'Sort by hits, lastSeenAt or path'), 'hits'),
  visitors: z._default(z.enum(['all', 'people', 'bots'], 'Visitors are all, people or bots'), 'all'),
  ignored: z._default(z.enum(['true', 'false'], 'Ignored is true or false'), 'false'),
  offset: z._default(z.coerce.number(START).check(z.int(START), z.minimum(0, START), z.maximum(MOST_MISSING, START)), 0),
  limit: z._default(z.coerce.number(ROWS).check(z.int(ROWS), z.minimum(1, ROWS), z.maximum(200, ROWS)), 50),
})

export type MissingPathQuery = z.infer<typeof missingPathQuery>

const path = z.string('A path is required').check(z.minLength(1, 'A path is required'), z.maxLength(2000, 'This path is too long'))

export const missingPathMark = z.object({ path, ignored: z.boolean('Ignored is true or false') })

/** One of them, or all. */
export const missingPathEnd = z.union([z.object({ path }), z.object({ all: z.literal('true') })], 'Give a path, or all=true')
