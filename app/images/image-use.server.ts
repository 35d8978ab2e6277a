import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'

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
