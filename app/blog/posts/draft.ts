import { z } from 'zod/mini'
import { draftFields } from './post.ts'

/** The version of a post that was begun as a draft and never saved. Its first save makes version 1. */
export const NEVER_SAVED = 0

const version = z
  .number('A version must be a number')
  .check(
    z.int('A version must be a number'),
    z.minimum(NEVER_SAVED, 'Versions count from 0'),
    z.maximum(1_000_000_000, 'There is no such version'),
  )

/**
 * Sent by the editor every few seconds. `baseVersion` is the version of the post that the draft is based on. `NEVER_SAVED` begins a new
 * post where there is none with the id.
 */
export const draftBody = z.object({ fields: draftFields, baseVersion: version })

/** Whether nothing is typed in any field. */
export function isEmptyDraft(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).every((value) => !value || (Array.isArray(value) && value.length === 0))
}

export type DraftBody = z.infer<typeof draftBody>

/** `editor` is the name of the last editor; `version` is the draft's own, for `If-Match`. */
export const draft = z.object({
  fields: draftFields,
  baseVersion: z.number(),
  version: z.number(),
  editorId: z.string(),
  editor: z.nullable(z.string()),
  updatedAt: z.string(),
})

export type PostDraft = z.infer<typeof draft>

/** A `postVersion` above the draft's `baseVersion` means that the post was saved in the meantime. */
export const draftState = z.object({ postVersion: z.number(), draft: z.nullable(draft) })

export type DraftState = z.infer<typeof draftState>
