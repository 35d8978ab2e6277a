import { z } from 'zod/mini'
import { atMost, manyLines } from '#app/platform/text/clean-text.ts'

const NOTE = 'A note has 1 to 10,000 characters.'

export const noteBody = z.object({
  text: z.string(NOTE).check(z.overwrite(manyLines), z.minLength(1, NOTE), ...atMost(10_000, NOTE)),
})

/** `base` is the `updatedAt` of the note that was edited. */
export const noteChange = z.extend(noteBody, { base: z.string('Name the version that you edited.') })
