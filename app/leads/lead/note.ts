import { z } from 'zod/mini'
import { atMost, manyLines } from '#app/platform/text/clean-text.ts'
import { anyUuid } from './fact-value.ts'

const NOTE = 'A note has 1 to 10,000 characters.'

export const noteBody = z.object({
  text: z.string(NOTE).check(z.overwrite(manyLines), z.minLength(1, NOTE), ...atMost(10_000, NOTE)),
})

/** With the id that it had, a note that was deleted comes back. */
export const addedNote = z.extend(noteBody, { id: z.optional(anyUuid('There is no such note.')) })

export type AddedNote = z.infer<typeof addedNote>

/** `base` is the `updatedAt` of the note that was edited. */
export const noteChange = z.extend(noteBody, { base: z.string('Name the version that you edited.') })
