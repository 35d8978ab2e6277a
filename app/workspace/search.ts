import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'

export const SEARCH = '/api/search'

const SENTENCE = 'Search for 1 to 100 characters.'

export const searchQuery = z.object({
  q: z.string(SENTENCE).check(z.trim(), z.minLength(1, SENTENCE), ...atMost(100, SENTENCE), z.regex(/^\P{Cc}*$/u, SENTENCE)),
})

/** A row of the product that a search found. */
const searchHit = z.object({
  kind: z.enum(['Lead', 'Post', 'Dataset', 'Redirect', 'User', 'Organization', 'Order', 'Invoice', 'Proposal', 'Setting']),
  title: z.string(),
  detail: z.string(),
  /** The path that opens it. */
  to: z.string(),
})

export type SearchHit = z.infer<typeof searchHit>

export const searchHits = z.object({ hits: z.array(searchHit) })
