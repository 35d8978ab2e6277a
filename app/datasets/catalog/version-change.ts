import { z } from 'zod/mini'
import { atMost, manyLines } from '#app/platform/text/clean-text.ts'
import { LONGEST_COLUMN_NAME, MOST_COLUMNS } from './column.ts'
import { columnReading } from './version.ts'

const LONGEST_REASON = 1000
export const LONGEST_CHANGES = 2000

/** Publishes a version; `force` in spite of failed quality checks, for a reason. `changes` takes the place of those given with the upload. */
export const publishing = z.object({
  changes: z.optional(
    z
      .string('What changed is text')
      .check(z.overwrite(manyLines), ...atMost(LONGEST_CHANGES, 'What changed takes at most 2,000 characters')),
  ),
  force: z._default(z.boolean('force is true or false'), false),
  reason: z._default(
    z
      .string('Reason must be text')
      .check(z.overwrite(manyLines), ...atMost(LONGEST_REASON, `Reason must be at most ${LONGEST_REASON} characters`)),
    '',
  ),
})

const PLACE = `column is a whole number from 1 to ${MOST_COLUMNS}`
const UNNAMED = 'Each column needs a name'

/** Other names for the columns of a rejected file. */
export const columnNames = z.object({
  names: z
    .array(
      z.object({
        column: z.int(PLACE).check(z.minimum(1, PLACE), z.maximum(MOST_COLUMNS, PLACE)),
        name: z
          .string(UNNAMED)
          .check(
            z.trim(),
            z.minLength(1, UNNAMED),
            z.maxLength(LONGEST_COLUMN_NAME, `A column’s name has at most ${LONGEST_COLUMN_NAME} characters`),
          ),
      }),
      'Name the columns',
    )
    .check(z.minLength(1, 'Name the columns'), z.maxLength(MOST_COLUMNS, `A file has at most ${MOST_COLUMNS} columns`)),
})

/** Other readings of the columns of an imported file, by their names; null takes a choice back. */
export const readingChange = z.object({
  readings: z
    .array(
      z.object({ column: z.string('Name the column').check(z.minLength(1, 'Name the column')), reading: z.nullable(columnReading) }),
      'Choose the readings',
    )
    .check(z.minLength(1, 'Choose the readings'), z.maxLength(MOST_COLUMNS, `A file has at most ${MOST_COLUMNS} columns`)),
})
