import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'

const ROWS = 'A page has 1 to 200 rows.'

/** The query of every paged list here: a page size, and the cursor of the page before. */
export const paging = {
  cursor: z.optional(z.string('There is no such page.').check(z.maxLength(4000, 'There is no such page.'))),
  limit: z._default(z.coerce.number(ROWS).check(z.int(ROWS), z.minimum(1, ROWS), z.maximum(200, ROWS)), 50),
}

/** A part of an address or of a name. */
export function searchText(sentence: string) {
  return z.optional(z.string(sentence).check(z.trim(), ...atMost(200, sentence), z.regex(/^\P{Cc}*$/u, sentence)))
}
