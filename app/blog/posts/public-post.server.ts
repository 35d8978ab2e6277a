import { type SelectQueryBuilder, sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import type { Row, Tables } from '#db/tables.ts'
import { type Author, findAuthors } from './author.server.ts'

/** Whether the post is public now. */
export const isPublic = condition`(published AND removed_at IS NULL AND published_at <= now())`

/** The fields of a card: all but the content. */
export type PostCardData = Pick<
  Row<'posts'>,
  'id' | 'slug' | 'title' | 'excerpt' | 'featuredImage' | 'featuredImageAlt' | 'tags' | 'words' | 'headings'
> & {
  publishedAt: Date
  author: Author | null
}

/** A public post. `author` is its writer, while they have an account. */
export type PublicPost = Omit<Row<'posts'>, 'publishedAt' | 'search' | 'removedAt' | 'wasPublic'> & {
  publishedAt: Date
  author: Author | null
}

type Place = Pick<PublicPost, 'id' | 'publishedAt'>

export async function findPublicPost(slug: string): Promise<PublicPost | undefined> {
  const post = await db.selectFrom('posts').selectAll().where('slug', '=', slug).where(isPublic).executeTakeFirst()
  return post?.publishedAt ? toPublicPost({ ...post, publishedAt: post.publishedAt }) : undefined
}

/** A draft or scheduled post, in its public form. */
export async function findHiddenPost(slug: string): Promise<PublicPost | undefined> {
  const post = await db.selectFrom('posts').selectAll().where('slug', '=', slug).where('removedAt', 'is', null).executeTakeFirst()
  return post && toPublicPost({ ...post, publishedAt: post.publishedAt ?? new Date() })
}

export async function toPublicPost(row: Row<'posts'> & { publishedAt: Date }): Promise<PublicPost> {
  const { search: _search, removedAt: _removed, wasPublic: _was, ...post } = row
  return { ...post, author: (await findAuthors([post.authorId])).get(post.authorId) ?? null }
}

/** Whether a formerly public post at this address has been deleted: then the response is 410. */
export async function wasRemoved(slug: string): Promise<boolean> {
  const removed = db
    .selectFrom('posts')
    .select('id')
    .where('slug', '=', slug)
    .where('removedAt', 'is not', null)
    .where('wasPublic', '=', true)
  return (await removed.executeTakeFirst()) !== undefined
}

/** The previous and next public post by date. */
export async function neighboursOf({
  id,
  publishedAt,
}: Place): Promise<{ previous: PostCardData | undefined; next: PostCardData | undefined }> {
  const here = sql`(${publishedAt}::timestamptz, ${id}::uuid)`
  const older = publicCards()
    .where(condition`(published_at, id) < ${here}`)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
  const newer = publicCards()
    .where(condition`(published_at, id) > ${here}`)
    .orderBy('publishedAt')
    .orderBy('id')
  const [[previous], [next]] = await Promise.all([readCards(older.limit(1)), readCards(newer.limit(1))])
  return { previous, next }
}

const RELATED = 3

/** The posts with the most tags in common, newest first among equals. */
export function relatedPosts({ id, tags }: Pick<PublicPost, 'id' | 'tags'>): Promise<PostCardData[]> {
  const shared = sql`(SELECT count(*) FROM unnest(tags) AS tag WHERE tag = ANY (${tags}::text[]))`
  return readCards(
    publicCards()
      .where('id', '!=', id)
      .where(condition`tags && ${tags}::text[]`)
      .orderBy(shared, 'desc')
      .orderBy('publishedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(RELATED),
  )
}

/** Cards of public posts, unordered. */
export function publicCards() {
  const card = [
    'id',
    'slug',
    'title',
    'excerpt',
    'featuredImage',
    'featuredImageAlt',
    'tags',
    'words',
    'headings',
    'publishedAt',
    'authorId',
  ] as const
  return db.selectFrom('posts').select(card).where(isPublic)
}

type FoundCard = Omit<PostCardData, 'publishedAt' | 'author'> & { publishedAt: Date | null; authorId: string }

/** A database constraint guarantees that public posts have a date. */
export async function readCards(query: SelectQueryBuilder<Tables, 'posts', FoundCard>): Promise<PostCardData[]> {
  const rows = await query.execute()
  const authors = await findAuthors(rows.map(({ authorId }) => authorId))
  return rows.flatMap(({ publishedAt, authorId, ...card }) =>
    publishedAt ? [{ ...card, publishedAt, author: authors.get(authorId) ?? null }] : [],
  )
}
