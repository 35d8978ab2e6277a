import { z } from 'zod'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { clearPages, clearPagesWith } from '#app/platform/page-cache/page-cache.server.ts'
import type { StoredPost } from './post-row.server.ts'

/** Cache tag of pages that list posts: the blog, its feeds, the sitemap. */
export const POST_LISTS = 'posts'
/** Cache tag of all post pages: each one names other posts. */
export const POST_PAGES = 'post-pages'

const PUBLISH_JOB = 'posts.publish'

/** A post that becomes public this soon is purged now: its time may come before the commit. */
const SOON_MS = 60_000

export function isPublicAt(
  { published, publishedAt, removedAt }: Pick<StoredPost, 'published' | 'publishedAt' | 'removedAt'>,
  moment: Date,
) {
  return published && removedAt === null && publishedAt !== null && publishedAt <= moment
}

/**
 * Purges the public pages that show or name a changed post, in every process, once the change is committed. Schedules the purge for a post
 * with a future date. A change of a hidden post purges nothing.
 */
export async function publishChange(trx: Trx, before: StoredPost | undefined, after: StoredPost, now: Date): Promise<void> {
  const soon = new Date(now.getTime() + SOON_MS)
  const shown = [before, after].filter((post) => post && isPublicAt(post, soon))
  const isSame = before && !after.removedAt && after.updatedAt.getTime() === before.updatedAt.getTime()
  if (shown.length > 0 && !isSame) {
    const pages = shown.length === 2 && before && isNamedTheSame(before, after) ? [] : [POST_PAGES]
    await clearPagesWith(trx, [...new Set(shown.flatMap((post) => (post ? [pathOf(post)] : []))), POST_LISTS, ...pages])
  }
  if (!after.removedAt && after.published && after.publishedAt && after.publishedAt > now) await schedule(trx, after.id, after.publishedAt)
}

/** Whether other posts still show it the same way. */
function isNamedTheSame(before: StoredPost, after: StoredPost): boolean {
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

// The clock alone publishes a scheduled post; this job only purges the pages that do not show it yet. A rescheduled or unpublished post has
// another job, or none.
defineJob(PUBLISH_JOB, z.object({ postId: z.uuid(), at: z.string() }), async ({ postId, at }) => {
  const post = await db.selectFrom('posts').select(['slug', 'publishedAt']).where('id', '=', postId).executeTakeFirst()
  if (post?.publishedAt?.toISOString() === at) await clearPages(pathOf(post), POST_LISTS, POST_PAGES)
})
