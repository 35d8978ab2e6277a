import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { condition, queryRows, rowCount } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'
import { isPublic, type PostCardData, publicCards, readCards } from './public-post.server.ts'

/** Cards per page of the blog. */
const PAGE_SIZE = 12

type Found = { posts: PostCardData[]; total: number }

/** Public posts by tag, by search (all words), or all; newest first. Pages count from 1. */
export async function listPublicPosts({
  tag,
  q = '',
  page = 1,
}: {
  tag?: string | undefined
  q?: string | undefined
  page?: number
}): Promise<{
  posts: PostCardData[]
  total: number
  pages: number
}> {
  const meant = [isPublic, ...(tag === undefined ? [] : [condition`tags @> ARRAY[${tag}]::text[]`]), ...matching(q)]
  const isMeant = condition`(${sql.join(meant, sql` AND `)})`
  const skipped = (page - 1) * PAGE_SIZE
  const { posts, total } = await (q ? listFound(isMeant, skipped) : listNewest(isMeant, skipped))
  return { posts, total, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) }
}

async function listNewest(isMeant: RawBuilder<boolean>, skipped: number): Promise<Found> {
  const count = db.selectFrom('posts').select(rowCount.as('total')).where(isMeant)
  const cards = newestFirst().where(isMeant).limit(PAGE_SIZE).offset(skipped)
  const [posts, { total }] = await Promise.all([readCards(cards), count.executeTakeFirstOrThrow()])
  return { posts, total }
}

/** Materialized, so that the search uses its index. With ORDER BY and LIMIT, the planner would rather read every post. */
async function listFound(isMeant: RawBuilder<boolean>, skipped: number): Promise<Found> {
  const rows = await queryRows(
    db,
    { total: z.number(), ids: z.array(z.string()) },
    sql`
    WITH found AS MATERIALIZED (SELECT id, published_at FROM posts WHERE ${isMeant})
    SELECT (SELECT count(*)::int FROM found) AS total,
      ARRAY(SELECT id FROM found ORDER BY published_at DESC, id DESC LIMIT ${PAGE_SIZE} OFFSET ${skipped}) AS ids`,
  )
  const { total = 0, ids = [] } = rows[0] ?? {}
  return { posts: ids.length > 0 ? await readCards(newestFirst().where('id', 'in', ids)) : [], total }
}

function newestFirst() {
  return publicCards().orderBy('publishedAt', 'desc').orderBy('id', 'desc')
}

/** Tags of public posts, the most frequent first. */
export async function listPublicTags(): Promise<{ tag: string; posts: number }[]> {
  const rows = await queryRows(
    db,
    { tag: z.string(), posts: z.number() },
    sql`
    SELECT tag, count(*)::int AS posts FROM posts CROSS JOIN LATERAL unnest(tags) AS tag WHERE ${isPublic}
    GROUP BY tag ORDER BY posts DESC, tag LIMIT 200`,
  )
  return rows
}

/** The path and last visible change of each public post, newest first, up to the limit of one sitemap. */
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
  // A scheduled post changed for readers at its publication.
  return rows.flatMap(({ publishedAt, updatedAt, ...post }) =>
    publishedAt ? [{ ...post, publishedAt, changedAt: updatedAt > publishedAt ? updatedAt : publishedAt }] : [],
  )
}
