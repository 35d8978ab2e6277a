import { z } from 'zod/mini'
import { isPostId, POSTS, postTag } from './post.ts'

export const POST_BULK = `${POSTS}/bulk`

/** The most posts that one bulk change takes. */
export const POST_BULK_MAX = 200

const id = z.string('Post not found.').check(z.refine(isPostId, 'Post not found.'))
const many = [
  z.minLength(1, 'Choose at least one post.'),
  z.maxLength(POST_BULK_MAX, `Change at most ${POST_BULK_MAX} posts at once.`),
] as const

const ids = z.array(id, 'Give the ids of posts.').check(...many)

/** `publish` schedules drafts whose date is in the future, as the editor does. */
export const postBulk = z.discriminatedUnion(
  'change',
  [
    z.object({ ids, change: z.literal('delete') }),
    z.object({ ids, change: z.enum(['publish', 'unpublish']) }),
    z.object({ ids, change: z.enum(['tag', 'untag']), tag: postTag.check(z.minLength(1, 'Enter a tag')) }),
  ],
  'Change is publish, unpublish, tag, untag or delete',
)

export type PostBulk = z.infer<typeof postBulk>

/** The posts that changed, with their new versions; the others already were like that, or are gone. */
export const changedPosts = z.object({
  posts: z.array(z.object({ id: z.string(), version: z.number(), published: z.boolean(), publishedAt: z.nullable(z.string()) })),
})

export type ChangedPosts = z.infer<typeof changedPosts>

/** Posts to return to the version before a bulk change, by the version that the change gave them. */
export const postBulkUndo = z.object({
  posts: z.array(z.object({ id, version: z.int('This change is unknown.') }), 'Give the changed posts.').check(...many),
})

export type PostBulkUndo = z.infer<typeof postBulkUndo>

/** The posts that an undo has returned, and those that it leaves, because they changed since or their slug is taken. */
export const undonePosts = z.object({ restored: z.number(), left: z.number() })
