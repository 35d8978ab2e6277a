import { z } from 'zod'
import { db, type Trx } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { clearPages, clearPagesWith } from '#app/platform/page-cache.server.ts'
import type { PostRow } from './post-row.server.ts'

/** Pages that list posts: the blog, its feeds, the sitemap. */
export const POST_LISTS = 'posts'
/** The pages of all posts: each names others beside its own. */
export const POST_PAGES = 'post-pages'

const PUBLISH_JOB = 'posts.publish'

/** What becomes public so soon is cleared like what is: its time may come before the transaction ends. */
const SOON_MS = 60_000

export function isPublicAt({ published, publishedAt, removedAt }: Pick<PostRow, 'published' | 'publishedAt' | 'removedAt'>, moment: Date) {
  return published && removedAt === null && publishedAt !== null && publishedAt <= moment
}

/**
 * What follows from a change once it is kept: the pages of strangers that show the post or name it are forgotten in every process, and one that waits
 * for its time is shown when that comes. Nothing is forgotten for what the public does not see.
 */
export async function publishChange(trx: Trx, before: PostRow | undefined, after: PostRow, now: Date): Promise<void> {
  const soon = new Date(now.getTime() + SOON_MS)
  const shown = [before, after].filter((post) => post && isPublicAt(post, soon))
  const isSame = before && !after.removedAt && after.updatedAt.getTime() === before.updatedAt.getTime()
  if (shown.length > 0 && !isSame) {
    const pages = shown.length === 2 && before && isNamedTheSame(before, after) ? [] : [POST_PAGES]
    await clearPagesWith(trx, [...new Set(shown.flatMap((post) => (post ? [pathOf(post)] : []))), POST_LISTS, ...pages])
  }
  if (!after.removedAt && after.published && after.publishedAt && after.publishedAt > now) await schedule(trx, after.id, after.publishedAt)
}

/** Whether the pages of other posts say of it what they said. */
function isNamedTheSame(before: PostRow, after: PostRow): boolean {
  const named = ['slug', 'title', 'excerpt', 'featuredImage', 'words'] as const
  return (
    named.every((column) => before[column] === after[column]) &&
    before.tags.join('\n') === after.tags.join('\n') &&
    before.publishedAt?.getTime() === after.publishedAt?.getTime()
  )
}

function pathOf({ slug }: { slug: string }): string {
  return `/blog/${slug}`
}

async function schedule(trx: Trx, postId: string, publishedAt: Date): Promise<void> {
  const at = publishedAt.toISOString()
  await enqueue(trx, { kind: PUBLISH_JOB, payload: { postId, at }, runAt: publishedAt, dedupeKey: `${PUBLISH_JOB}:${postId}:${at}` })
}

// The clock alone makes a post public: what is left to do is to forget the pages that do not show it yet. One that was moved or taken back meanwhile has
// another job, or none.
defineJob(PUBLISH_JOB, z.object({ postId: z.uuid(), at: z.string() }), async ({ postId, at }) => {
  const post = await db.selectFrom('posts').select(['slug', 'publishedAt']).where('id', '=', postId).executeTakeFirst()
  if (post?.publishedAt?.toISOString() === at) await clearPages(pathOf(post), POST_LISTS, POST_PAGES)
})
