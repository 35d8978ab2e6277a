import { sql } from 'kysely'
import { db } from '#app/platform/db.server.ts'
import { matching } from '#app/platform/search-words.server.ts'
import { isPublic, type PostCard, publicCards, readCards } from './public-post.server.ts'

/** Cards of one page of the blog. */
const PAGE_SIZE = 12

/** The public posts with a tag, with all words of a search, or all; newest first. Pages count from 1. */
export async function listPublicPosts({
  tag,
  q = '',
  page = 1,
}: {
  tag?: string | undefined
  q?: string | undefined
  page?: number
}): Promise<{
  posts: PostCard[]
  total: number
  pages: number
}> {
  const meant = [isPublic, ...(tag === undefined ? [] : [sql<boolean>`tags @> ARRAY[${tag}]::text[]`]), ...matching(q)]
  const isMeant = sql<boolean>`(${sql.join(meant, sql` AND `)})`
  const found = publicCards()
    .where(isMeant)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  const count = db
    .selectFrom('posts')
    .select(sql<number>`count(*)::int`.as('total'))
    .where(isMeant)
  const [posts, { total }] = await Promise.all([readCards(found), count.executeTakeFirstOrThrow()])
  return { posts, total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) }
}

/** The tags of public posts, those of most posts first. */
export async function listPublicTags(): Promise<{ tag: string; posts: number }[]> {
  const { rows } = await sql<{ tag: string; posts: number }>`
    SELECT tag, count(*)::int AS posts FROM posts CROSS JOIN LATERAL unnest(tags) AS tag WHERE ${isPublic}
    GROUP BY tag ORDER BY posts DESC, tag LIMIT 200`.execute(db)
  return rows
}

/** Where each public post is and when what readers see of it changed last, newest post first: as many as one sitemap may name. */
export async function publicPostDates(): Promise<
  { id: string; slug: string; title: string; excerpt: string; publishedAt: Date; changedAt: Date }[]
> {
  const rows = await db
    .selectFrom('posts')
    .select(['id', 'slug', 'title', 'excerpt', 'publishedAt', 'updatedAt'])
    .where(isPublic)
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(45_000)
    .execute()
  // One that waited for its time changed for readers when that had come.
  return rows.flatMap(({ publishedAt, updatedAt, ...post }) =>
    publishedAt ? [{ ...post, publishedAt, changedAt: updatedAt > publishedAt ? updatedAt : publishedAt }] : [],
  )
}
