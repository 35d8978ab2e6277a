import { type SelectQueryBuilder, sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'
import type { Row, Tables } from '#db/tables.ts'
import { findAuthor } from './author.server.ts'

/** Whether the public may read it at this moment. */
export const isPublic = sql<boolean>`(published AND removed_at IS NULL AND published_at <= now())`

/** How it looks in a list: without its content. */
export type PostCard = Pick<Row<'posts'>, 'id' | 'slug' | 'title' | 'excerpt' | 'featuredImage' | 'tags' | 'words'> & { publishedAt: Date }

/** A whole post as the public reads it. `author` is how its writer calls themselves, while they have an account here. */
export type PublicPost = Omit<Row<'posts'>, 'publishedAt' | 'search' | 'removedAt' | 'wasPublic'> & {
  publishedAt: Date
  author: string | null
}

type Place = Pick<PublicPost, 'id' | 'publishedAt'>

export async function findPublicPost(slug: string): Promise<PublicPost | undefined> {
  const post = await db.selectFrom('posts').selectAll().where('slug', '=', slug).where(isPublic).executeTakeFirst()
  return post?.publishedAt ? toPublicPost({ ...post, publishedAt: post.publishedAt }) : undefined
}

/** A post that the public cannot read, as it would: one that is not published, or whose time has not come. */
export async function findHiddenPost(slug: string): Promise<PublicPost | undefined> {
  const post = await db.selectFrom('posts').selectAll().where('slug', '=', slug).where('removedAt', 'is', null).executeTakeFirst()
  return post && toPublicPost({ ...post, publishedAt: post.publishedAt ?? new Date() })
}

/** What readers get of a row. */
export async function toPublicPost(row: Row<'posts'> & { publishedAt: Date }): Promise<PublicPost> {
  const { search: _search, removedAt: _removed, wasPublic: _was, ...post } = row
  return { ...post, author: await findAuthor(post.authorId) }
}

/** Whether a post that the public could read at this address has been removed: who asks again need not. */
export async function wasRemoved(slug: string): Promise<boolean> {
  const removed = db
    .selectFrom('posts')
    .select('id')
    .where('slug', '=', slug)
    .where('removedAt', 'is not', null)
    .where('wasPublic', '=', true)
  return (await removed.executeTakeFirst()) !== undefined
}

/** The public posts before and after it in time. */
export async function neighboursOf({ id, publishedAt }: Place): Promise<{ previous: PostCard | undefined; next: PostCard | undefined }> {
  const here = sql`(${publishedAt}::timestamptz, ${id}::uuid)`
  const older = publicCards()
    .where(sql<boolean>`(published_at, id) < ${here}`)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
  const newer = publicCards()
    .where(sql<boolean>`(published_at, id) > ${here}`)
    .orderBy('publishedAt')
    .orderBy('id')
  const [[previous], [next]] = await Promise.all([readCards(older.limit(1)), readCards(newer.limit(1))])
  return { previous, next }
}

const RELATED = 3

/** Those that share most tags with it, newer ones first among equals. */
export function relatedPosts({ id, tags }: Pick<PublicPost, 'id' | 'tags'>): Promise<PostCard[]> {
  const shared = sql`(SELECT count(*) FROM unnest(tags) AS tag WHERE tag = ANY (${tags}::text[]))`
  return readCards(
    publicCards()
      .where('id', '!=', id)
      .where(sql<boolean>`tags && ${tags}::text[]`)
      .orderBy(shared, 'desc')
      .orderBy('publishedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(RELATED),
  )
}

/** The cards of public posts, in no order yet. */
export function publicCards() {
  const card = ['id', 'slug', 'title', 'excerpt', 'featuredImage', 'tags', 'words', 'publishedAt'] as const
  return db.selectFrom('posts').select(card).where(isPublic)
}

type FoundCard = Omit<PostCard, 'publishedAt'> & { publishedAt: Date | null }

/** What is public has its time: the database keeps that rule. */
export async function readCards(query: SelectQueryBuilder<Tables, 'posts', FoundCard>): Promise<PostCard[]> {
  const rows = await query.execute()
  return rows.flatMap(({ publishedAt, ...card }) => (publishedAt ? [{ ...card, publishedAt }] : []))
}
