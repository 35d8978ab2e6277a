import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { condition, queryRows } from '#app/platform/database/sql.server.ts'
import { matching } from '#app/platform/database/search-words.server.ts'
import { type Post, storedFields } from './post.ts'
import { POST_LIST_MAX, type PostPage, type PostQuery, type PostStatus } from './post-query.ts'
import { type StoredPost, toPost } from './post.server.ts'
import { isPublic } from './public-post.server.ts'

/** In characters of content: bounds the response, whatever the number of posts. */
const CONTENT_MAX = 4_000_000

const statuses: Record<PostStatus, RawBuilder<boolean>> = {
  published: isPublic,
  scheduled: sql`(published AND published_at > now())`,
  draft: sql`NOT published`,
}

/** Newest first: by publication for readers, by creation for writers. */
const orders = { public: sql`published_at DESC, id DESC`, all: sql`created_at DESC, id DESC` }

/** All but the content, which would be megabytes. */
const listedColumns = sql.join(
  ['id', ...Object.keys(storedFields.shape), 'words', 'version', 'createdAt', 'updatedAt']
    .filter((name) => name !== 'content')
    .map((name) => sql.ref(name)),
)

type Asked = Pick<PostQuery, 'published' | 'q' | 'tag' | 'status'> & { onlyPublic: boolean }

/** The newest posts with content: at most a thousand, and a few megabytes. */
export async function listPosts(asked: Pick<Asked, 'published' | 'onlyPublic'>): Promise<{ posts: Post[]; total: number }> {
  const { isMeant, order } = toConditions({ ...asked, q: '', tag: undefined, status: undefined })
  const { rows } = await sql<StoredPost & { total: number }>`
    WITH newest AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY ${order}) AS place, sum(length(content)) OVER (ORDER BY ${order}) AS characters,
        count(*) OVER ()::int AS total
      FROM posts WHERE ${isMeant} ORDER BY ${order} LIMIT ${POST_LIST_MAX}
    )
    SELECT posts.*, newest.total FROM newest JOIN posts USING (id)
    WHERE place = 1 OR characters <= ${CONTENT_MAX} ORDER BY place`.execute(db)
  return { posts: rows.map(({ total: _total, ...row }) => toPost(row)), total: rows[0]?.total ?? 0 }
}

/** One page of matching posts, without their content. */
export async function findPosts({ page, limit, ...asked }: PostQuery & { onlyPublic: boolean }): Promise<PostPage> {
  const { isMeant, order } = toConditions(asked)
  const hasDraft = sql`EXISTS (SELECT 1 FROM post_drafts WHERE post_id = posts.id)`
  const [{ rows }, counted] = await Promise.all([
    sql<Omit<StoredPost, 'search'> & { hasDraft: boolean }>`
      SELECT ${listedColumns}, ${hasDraft} AS has_draft FROM posts WHERE ${isMeant}
      ORDER BY ${order} LIMIT ${limit} OFFSET ${(page - 1) * limit}`.execute(db),
    queryRows(db, { total: z.number() }, sql`SELECT count(*)::int AS total FROM posts WHERE ${isMeant}`),
  ])
  const total = counted[0]?.total ?? 0
  const items = rows.map(({ hasDraft: isDraft, ...row }) => ({ ...toPost(row), hasDraft: isDraft && !asked.onlyPublic }))
  return { items, total, page, pages: Math.max(1, Math.ceil(total / limit)) }
}

function toConditions({ published, q, tag, status, onlyPublic }: Asked) {
  const conditions = [
    condition`removed_at IS NULL`,
    ...(onlyPublic || published === 'true' ? [isPublic] : []),
    ...(published === 'false' && !onlyPublic ? [condition`NOT ${isPublic}`] : []),
    ...(status && !onlyPublic ? [statuses[status]] : []),
    ...(tag === undefined ? [] : [condition`tags @> ARRAY[${tag}]::text[]`]),
    ...matching(q),
  ]
  return { isMeant: sql.join(conditions, sql` AND `), order: onlyPublic || published === 'true' ? orders.public : orders.all }
}
