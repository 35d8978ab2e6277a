import { z } from 'zod/mini'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import { question } from './query.ts'

/** Saved queries of all datasets; each has its id below. */
export const SAVED_QUERIES = '/api/saved-queries'

/** The saved queries of one dataset, and what was asked last. */
export const queriesOf = (productId: string) => `${PRODUCTS}/${productId}/queries`
export const pastQueriesOf = (productId: string) => `${PRODUCTS}/${productId}/past-queries`

export const QUERY_NAME_MAX = 80
/** Of one person and one dataset. */
export const SAVED_QUERIES_MAX = 100
/** Of one person, over all datasets: the oldest go first. */
export const PAST_QUERIES_MAX = 50

const name = z
  .string('Give the query a name')
  .check(
    z.overwrite(oneLine),
    z.minLength(1, 'Give the query a name'),
    ...atMost(QUERY_NAME_MAX, `A name has at most ${QUERY_NAME_MAX} characters`),
  )

const fields = { name, sql: question.shape.sql, isShared: z.boolean('Shared is true or false') }

export const savedQueryBody = z.object({ ...fields, isShared: z._default(fields.isShared, false) })

/** Only the given fields change. */
export const savedQueryChange = z.partial(z.object(fields))

export type SavedQueryBody = z.infer<typeof savedQueryBody>
export type SavedQueryChange = z.infer<typeof savedQueryChange>

export const savedQuery = z.object({
  id: z.string(),
  name: z.string(),
  sql: z.string(),
  /** Everyone who may query the dataset sees it. */
  isShared: z.boolean(),
  /** Only its author can change it. */
  isOwn: z.boolean(),
})

export type SavedQuery = z.infer<typeof savedQuery>

export const savedQueries = z.array(savedQuery)

/** Newest first. */
export const pastQueries = z.array(z.object({ sql: z.string(), askedAt: z.string() }))

export type PastQuery = z.infer<typeof pastQueries>[number]
