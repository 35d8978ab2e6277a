import { sql } from 'kysely'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import { type Post, readingMinutes } from './post.ts'
import { isPublic } from './public-post.server.ts'

export type StoredPost = Row<'posts'>

/** A post that is not deleted, for staff. */
export async function findPost(id: string): Promise<Post | undefined> {
  const row = await db.selectFrom('posts').selectAll().where('id', '=', id).where('removedAt', 'is', null).executeTakeFirst()
  return row && toPost(row)
}

export async function findPostBySlug(slug: string, { onlyPublic = false } = {}): Promise<Post | undefined> {
  const bySlug = db.selectFrom('posts').selectAll().where('slug', '=', slug).where('removedAt', 'is', null)
  const row = await (onlyPublic ? bySlug.where(isPublic) : bySlug).executeTakeFirst()
  return row && toPost(row)
}

/** Locks the post for a change. Stops when its version is not `expected`. */
export async function lockPost(trx: Trx, id: string, expected: number | undefined): Promise<StoredPost | undefined> {
  const row = await trx.selectFrom('posts').selectAll().where('id', '=', id).where('removedAt', 'is', null).forUpdate().executeTakeFirst()
  if (row && expected !== undefined && expected !== row.version) {
    stop('conflict', 'Someone changed this post after you opened it.', { code: 'edit_conflict', current: toPost(row) })
  }
  return row
}

/** The database's clock decides when a post is public. Rounded to the precision of its stored times. */
export async function databaseTime(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT date_trunc('milliseconds', now()) AS now`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('The database returned no time.')
  return row.now
}

export function toPost(row: Omit<StoredPost, 'search'>): Post {
  const { html: _html, headings: _headings, removedAt: _removed, wasPublic: _was, publishedAt, createdAt, updatedAt, ...post } = row
  return {
    ...post,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    readingMinutes: readingMinutes(row.words),
  }
}
