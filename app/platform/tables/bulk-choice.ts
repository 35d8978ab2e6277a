import { z } from 'zod/mini'

const ROWS = 'Choose 1 to 200 rows, or all that match a filter with their number.'

/**
 * The rows of a bulk change: some by their ids, or all that match a filter. `count` is the number that the person saw; if another number matches by
 * now, nothing is changed.
 */
export const bulkChoice = <Id extends z.ZodMiniType<string>, Filter extends z.ZodMiniType>(id: Id, filter: Filter) =>
  z.union(
    [
      z.strictObject({ ids: z.array(id).check(z.minLength(1, ROWS), z.maxLength(200, ROWS)) }),
      z.strictObject({ filter, count: z.int(ROWS) }),
    ],
    ROWS,
  )
