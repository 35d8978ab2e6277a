import { z } from 'zod/mini'
import { postLimits } from './post.ts'

const TOO_LONG = 'This is too long to save.'

/** Any text, valid or not, except characters that PostgreSQL cannot store. */
const typed = (most: number) =>
  z.nullish(
    z.string('This must be text').check(
      z.overwrite((text) => text.toWellFormed().replaceAll('\0', '')),
      z.maxLength(most, TOO_LONG),
    ),
  )

/** The values of the editor's form. They may be invalid, so the length limits are generous. */
export const draftFields = z.object({
  title: typed(postLimits.title * 10),
  slug: typed(postLimits.slug * 10),
  content: typed(postLimits.content * 2),
  excerpt: typed(postLimits.excerpt * 10),
  featuredImage: typed(postLimits.address * 2),
  tags: z.optional(
    z
      .array(
        z.string('A tag must be text').check(
          z.overwrite((text) => text.toWellFormed().replaceAll('\0', '')),
          z.maxLength(400, TOO_LONG),
        ),
        'Tags must be a list',
      )
      .check(z.maxLength(200, 'There are too many tags to save.')),
  ),
  metaTitle: typed(postLimits.metaTitle * 10),
  metaDescription: typed(postLimits.metaDescription * 10),
  published: z.optional(z.boolean('Published must be true or false')),
  publishedAt: typed(100),
})

export type DraftFields = z.infer<typeof draftFields>

const version = z
  .number('A version must be a number')
  .check(z.int('A version must be a number'), z.minimum(1, 'Versions count from 1'), z.maximum(1_000_000_000, 'There is no such version'))

/** Sent by the editor every few seconds. `baseVersion` is the version of the post that the draft is based on. */
export const draftBody = z.object({ fields: draftFields, baseVersion: version })

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
