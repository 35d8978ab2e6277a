import { z } from 'zod/mini'
import { limits } from '#app/posts/post.ts'

const TOO_LONG = 'This is too long to be kept.'

/** As it is typed, whole or not; only what no database keeps is left out. */
const typed = (most: number) =>
  z.nullish(
    z.string('This is text').check(
      z.overwrite((text) => text.toWellFormed().replaceAll('\0', '')),
      z.maxLength(most, TOO_LONG),
    ),
  )

/** What a form holds of a post while it is being written: nothing of it has to be right yet, so there is room for what is too long. */
export const draftFields = z.object({
  title: typed(limits.title * 10),
  slug: typed(limits.slug * 10),
  content: typed(limits.content * 2),
  excerpt: typed(limits.excerpt * 10),
  featuredImage: typed(limits.address * 2),
  tags: z.optional(
    z
      .array(
        z.string('A tag is text').check(
          z.overwrite((text) => text.toWellFormed().replaceAll('\0', '')),
          z.maxLength(400, TOO_LONG),
        ),
        'Tags are a list',
      )
      .check(z.maxLength(200, 'These are too many tags to be kept.')),
  ),
  metaTitle: typed(limits.metaTitle * 10),
  metaDescription: typed(limits.metaDescription * 10),
  published: z.optional(z.boolean('Published is true or false')),
  publishedAt: typed(100),
})

export type DraftFields = z.infer<typeof draftFields>

const version = z
  .number('A version is a number')
  .check(z.int('A version is a number'), z.minimum(1, 'Versions count from 1'), z.maximum(1_000_000_000, 'There is no such version'))

/** What the editor sends every few seconds. `baseVersion` is the version of the post that it began from. */
export const draftBody = z.object({ fields: draftFields, baseVersion: version })

export type DraftBody = z.infer<typeof draftBody>

/** The working copy of a post. `editor` is who changed it last, by name; `version` is its own, for `If-Match`. */
export const draft = z.object({
  fields: draftFields,
  baseVersion: z.number(),
  version: z.number(),
  editorId: z.string(),
  editor: z.nullable(z.string()),
  updatedAt: z.string(),
})

export type Draft = z.infer<typeof draft>

/** The working copy, if there is one. A `postVersion` above its `baseVersion` says that the post was saved meanwhile. */
export const draftState = z.object({ postVersion: z.number(), draft: z.nullable(draft) })

export type DraftState = z.infer<typeof draftState>
