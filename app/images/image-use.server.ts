import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'

/** The titles of the posts that show a picture, in what the public sees or in what is being written. */
export async function listUses(trx: Trx, id: string): Promise<string[]> {
  const part = `%/images/${id}/%`
  const rows = await trx
    .selectFrom('posts')
    .leftJoin('postDrafts', 'postDrafts.postId', 'posts.id')
    .select('posts.title')
    .where('posts.removedAt', 'is', null)
    .where(sql<boolean>`(posts.search LIKE ${part} OR posts.featured_image LIKE ${part} OR post_drafts.fields::text LIKE ${part})`)
    .orderBy('posts.createdAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ title }) => title)
}

/**
 * Keeps pictures from being removed until the transaction ends: whoever would remove one waits, and then finds the post that shows it. Stops when one of
 * them has just been removed.
 */
export async function holdPictures(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const held = await trx.selectFrom('images').select('id').where('id', 'in', ids).orderBy('id').forShare().execute()
  if (held.length < new Set(ids).size) {
    stop('conflict', 'A picture of this post was removed at the same moment. Take it out, or upload it again.', { code: 'image_removed' })
  }
}
