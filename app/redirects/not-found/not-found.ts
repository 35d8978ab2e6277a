import { z } from 'zod/mini'
import { bulkChoice } from '#app/platform/tables/bulk-choice.ts'

export const NOT_FOUND_API = '/api/missing-paths'

/** Paths in the log. */
export const MAX_NOT_FOUND = 5000

/** `botHits` counts the hits of programs that identify themselves. `suggestion` is the page with the most similar path. */
export const notFoundEntry = z.object({
  path: z.string(),
  hits: z.number(),
  botHits: z.number(),
  referrer: z.nullable(z.string()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  ignoredAt: z.nullable(z.string()),
  suggestion: z.nullable(z.string()),
})

export type NotFoundEntry = z.infer<typeof notFoundEntry>

export const notFoundPage = z.object({ items: z.array(notFoundEntry), total: z.number() })

const ROWS = 'A page must have 1 to 200 rows.'
const START = 'The offset must be 0 or more.'

/** `people` filters out paths that only programs have requested. */
const choice = {
  visitors: z._default(z.enum(['all', 'people', 'bots'], 'Visitors must be all, people or bots'), 'all'),
  ignored: z._default(z.enum(['true', 'false'], 'Ignored must be true or false'), 'false'),
}

const filter = z.strictObject(choice)

export type NotFoundFilter = z.infer<typeof filter>

export const notFoundQuery = z.object({
  ...choice,
  sort: z._default(z.enum(['hits', 'lastSeenAt', 'path'], 'Sort by hits, lastSeenAt or path'), 'hits'),
  offset: z._default(z.coerce.number(START).check(z.int(START), z.minimum(0, START), z.maximum(MAX_NOT_FOUND, START)), 0),
  limit: z._default(z.coerce.number(ROWS).check(z.int(ROWS), z.minimum(1, ROWS), z.maximum(200, ROWS)), 50),
})

export type NotFoundQuery = z.infer<typeof notFoundQuery>

const path = z.string('A path is required').check(z.minLength(1, 'A path is required'), z.maxLength(2000, 'This path is too long'))

export const notFoundIgnore = z.object({ path, ignored: z.boolean('Ignored must be true or false') })

/** Paths of the log, by themselves or all that match. */
export const notFoundBulk = z.object({
  choice: bulkChoice(path, filter),
  change: z.enum(['ignore', 'restore', 'delete'], 'The change must be ignore, restore or delete'),
})

export type NotFoundBulk = z.infer<typeof notFoundBulk>

/** Those that changed. */
export const changedPaths = z.object({ paths: z.array(z.string()) })

export const notFoundDelete = z.union([z.object({ path }), z.object({ all: z.literal('true') })], 'Give a path, or all=true')
