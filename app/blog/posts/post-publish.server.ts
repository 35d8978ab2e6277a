import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { clearPagesWith } from '#app/platform/page-cache/page-cache.server.ts'
import { removeRedirects, restoreRedirectOf } from '#app/redirects/rules/redirect.server.ts'
import { lockRedirects } from '#app/redirects/rules/redirect-lock.server.ts'
import type { Row } from '#db/tables.ts'

type StoredPost = Row<'posts'>

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
  const named = ['slug', 'title', 'excerpt', 'featuredImage', 'words', 'headings', 'tags', 'publishedAt', 'authorId'] as const
  return named.every((column) => isDeepStrictEqual(before[column], after[column]))
}

function pathOf({ slug }: { slug: string }): string {
  return `/blog/${slug}`
}

async function schedule(trx: Trx, postId: string, publishedAt: Date): Promise<void> {
  const at = publishedAt.toISOString()
  await enqueue(trx, { kind: PUBLISH_JOB, payload: { postId, at }, runAt: publishedAt, dedupeKey: `${PUBLISH_JOB}:${postId}:${at}` })
}

// The clock alone publishes a scheduled post; this job purges the pages that do not show it yet, and deletes a redirect that would hide it. A
// rescheduled or unpublished post has another job, or none.
defineJob(PUBLISH_JOB, z.object({ postId: z.uuid(), at: z.string() }), async ({ postId, at }) => {
  await transaction(async (trx) => {
    const post = await trx.selectFrom('posts').selectAll().where('id', '=', postId).forUpdate().executeTakeFirst()
    if (post?.publishedAt?.toISOString() !== at) return
    if (isPublicAt(post, post.publishedAt)) await deleteSlugRedirect(trx, post.slug)
    await clearPagesWith(trx, [pathOf(post), POST_LISTS, POST_PAGES])
  })
})

const MOVED = 'The post has a new address'

/**
 * Redirects the old address of a public post to its new one permanently, and shortens chains that end at the old one. A redirect of the new
 * address is deleted, which would make a loop.
 */
export async function redirectOldSlug(trx: Trx, oldSlug: string, newSlug: string): Promise<void> {
  const [from, to] = [`/blog/${oldSlug}`, `/blog/${newSlug}`]
  await lockRedirects(trx)
  await trx.deleteFrom('redirects').where('kind', '=', 'exact').where('fromPath', 'in', [from, to]).execute()
  await trx
    .updateTable('redirects')
    .set({ toPath: to, updatedAt: sql`now()` })
    .where('toPath', '=', from)
    .execute()
  const { last } = await trx
    .selectFrom('redirects')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  await insert(trx, 'redirects', { position: (last ?? 0) + 1, fromPath: from, toPath: to, description: MOVED })
}

/** Deletes a redirect that would hide a newly published post. Only automatic redirects are deleted, never those of staff. */
export async function deleteSlugRedirect(trx: Trx, slug: string): Promise<void> {
  const ways = trx.selectFrom('redirects').select('id').where('fromPath', '=', `/blog/${slug}`).where('description', '=', MOVED)
  if (!(await ways.executeTakeFirst())) return
  await lockRedirects(trx)
  const found = await ways.execute()
  await removeRedirects(
    trx,
    found.map(({ id }) => id),
  )
}

/** Restores the redirects that `deleteSlugRedirect` has deleted since a moment. */
export async function restoreSlugRedirect(trx: Trx, slug: string, since: Date): Promise<void> {
  await lockRedirects(trx)
  await restoreRedirectOf(trx, `/blog/${slug}`, since)
}
