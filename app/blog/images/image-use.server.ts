import { UNTITLED } from '#app/content/blog-titles.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** The titles of the posts that show an image, in the published or the draft version. */
export async function listImageUses(trx: Trx, id: string): Promise<string[]> {
  const part = `%/images/${id}/%`
  const rows = await trx
    .selectFrom('posts')
    .leftJoin('postDrafts', 'postDrafts.postId', 'posts.id')
    .select('posts.title')
    .where('posts.removedAt', 'is', null)
    .where(condition`(posts.search LIKE ${part} OR posts.featured_image LIKE ${part} OR post_drafts.fields::text LIKE ${part})`)
    .orderBy('posts.createdAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ title }) => title || UNTITLED)
}

/**
 * Protects images from deletion until the transaction ends: a concurrent deletion is blocked, and then finds the post. Stops when one of
 * the images no longer exists.
 */
export async function lockImages(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const held = await trx.selectFrom('images').select('id').where('id', 'in', ids).orderBy('id').forShare().execute()
  if (held.length < new Set(ids).size) {
    stop('conflict', 'An image in this post was just deleted. Remove it from the post, or upload it again.', { code: 'image_removed' })
  }
}
