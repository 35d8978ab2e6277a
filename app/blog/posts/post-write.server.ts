import { sql } from 'kysely'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { lockImages } from '#app/blog/images/image-use.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import { postLimits, type Post, type PostBody } from './post.ts'
import { isPublicAt, publishChange } from './post-change.server.ts'
import { databaseTime, lockPost, type StoredPost, toPost } from './post-row.server.ts'
import { preparePost } from './prepared-post.server.ts'
import { deleteSlugRedirect, redirectOldSlug } from './slug-redirect.server.ts'

export type PostEditor = Pick<CurrentUser, 'id' | 'role'>

/** Stops when the slug is in use. */
export async function createPost(body: PostBody, editor: PostEditor): Promise<Post> {
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = (await newAuthor(body, editor)) ?? editor.id
  return decideSlug(body.slug, async (trx) => {
    await lockImages(trx, pictures)
    const now = await databaseTime(trx)
    const publication = publicationOf(body, undefined, now)
    const wasPublic = isPublicAt(publication, now)
    const row = await insert(trx, 'posts', { ...prepared, ...publication, wasPublic, authorId, createdAt: now, updatedAt: now })
    await keepRevision(trx, row, editor)
    if (row.published) await deleteSlugRedirect(trx, row.slug)
    await publishChange(trx, undefined, row, now)
    return toPost(row)
  })
}

/**
 * Replaces the whole post and adds a version; `undefined` when there is no such post. `expected` is the version that the editor last saw.
 * Stops with `edit_conflict` and the current post when the version differs.
 */
export async function savePost(id: string, body: PostBody, editor: PostEditor, expected?: number): Promise<Post | undefined> {
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = await newAuthor(body, editor)
  return decideSlug(body.slug, async (trx) => {
    const before = await lockPost(trx, id, expected)
    if (!before) return undefined
    await lockImages(trx, pictures)
    const now = await databaseTime(trx)
    const next = { ...prepared, ...publicationOf(body, before, now), authorId: authorId ?? before.authorId }
    const after = await trx
      .updateTable('posts')
      .set({
        ...next,
        version: before.version + 1,
        wasPublic: before.wasPublic || isPublicAt(before, now) || isPublicAt(next, now),
        updatedAt: isSame(before, next) ? before.updatedAt : now,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepRevision(trx, after, editor)
    await trx.deleteFrom('postDrafts').where('postId', '=', id).where('baseVersion', '=', before.version).execute()
    if (after.slug !== before.slug && (before.wasPublic || isPublicAt(before, now))) await redirectOldSlug(trx, before.slug, after.slug)
    if (after.published) await deleteSlugRedirect(trx, after.slug)
    await publishChange(trx, before, after, now)
    return toPost(after)
  })
}

/** Deletes a post but keeps its versions. Returns `false` when there is none. */
export async function removePost(id: string, expected?: number): Promise<boolean> {
  return transaction(async (trx) => {
    const before = await lockPost(trx, id, expected)
    if (!before) return false
    const now = await databaseTime(trx)
    const after = await trx
      .updateTable('posts')
      .set({ removedAt: now, wasPublic: before.wasPublic || isPublicAt(before, now), version: before.version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx.deleteFrom('postDrafts').where('postId', '=', id).execute()
    await trx.deleteFrom('postPreviews').where('postId', '=', id).execute()
    await publishChange(trx, before, after, now)
    return true
  })
}

/** The first publication sets the date, which then stays; a given date overrides it. `null` clears a date in the future. */
function publicationOf({ published, publishedAt }: PostBody, before: StoredPost | undefined, now: Date) {
  const wasShown = before !== undefined && (before.wasPublic || isPublicAt(before, now))
  const kept = publishedAt === null && !wasShown ? null : (before?.publishedAt ?? null)
  const given = publishedAt ? new Date(publishedAt) : kept
  return { published, publishedAt: given ?? (published ? now : null), removedAt: null }
}

/** Only the owner can assign a post to someone else; editors just send back the author that they received. */
async function newAuthor({ authorId }: PostBody, editor: PostEditor): Promise<string | undefined> {
  if (!authorId || editor.role !== 'owner') return undefined
  const author = authorId === editor.id ? editor : await directory.findUser(authorId)
  const sentence = 'This author is not on your staff.'
  if (!author || author.role === 'customer') stop('unprocessable', sentence, { code: 'validation_failed', errors: { authorId: sentence } })
  return authorId
}

const seen = [
  'slug',
  'title',
  'content',
  'excerpt',
  'featuredImage',
  'metaTitle',
  'metaDescription',
  'html',
  'published',
  'authorId',
] as const

/** Whether readers see no difference. */
function isSame(one: StoredPost, other: Pick<StoredPost, (typeof seen)[number] | 'tags' | 'publishedAt'>): boolean {
  return (
    seen.every((column) => one[column] === other[column]) &&
    one.tags.join('\n') === other.tags.join('\n') &&
    one.publishedAt?.getTime() === other.publishedAt?.getTime()
  )
}

/** Stores each version in full, with its editor. */
async function keepRevision(trx: Trx, row: StoredPost, editor: PostEditor): Promise<void> {
  const { slug, title, content, excerpt, featuredImage, tags, metaTitle, metaDescription, published, publishedAt, authorId } = row
  const fields = { slug, title, content, excerpt, featuredImage, tags, metaTitle, metaDescription, published, publishedAt, authorId }
  await insert(trx, 'postRevisions', {
    id: newId(),
    postId: row.id,
    version: row.version,
    fields: JSON.stringify(fields),
    editorId: editor.id,
  })
}

/** The database decides who gets a slug. The loser of a race gets a free slug as a suggestion. */
async function decideSlug<T>(slug: string, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await transaction(work)
  } catch (error) {
    if (!breaks(error, 'posts_slug_key')) throw error
    const suggestion = await freeSlug(slug)
    const sentence = `Another post has the slug ${slug}. ${suggestion} is free.`
    return stop('conflict', sentence, { code: 'slug_taken', errors: { slug: sentence }, suggestion })
  }
}

async function freeSlug(slug: string): Promise<string> {
  const base = slug.slice(0, postLimits.slug - 6).replace(/-$/, '')
  const { rows } = await sql<{ slug: string }>`
    SELECT ${base}::text || '-' || n AS slug FROM generate_series(2, 99999) AS n
    WHERE NOT EXISTS (SELECT 1 FROM posts WHERE posts.slug = ${base}::text || '-' || n AND removed_at IS NULL) LIMIT 1`.execute(db)
  return rows[0]?.slug ?? `${base}-${newId().slice(0, 4)}`
}
/** The editor of posts without an account: the business is named as the author. */
export const SYSTEM_EDITOR = { id: '00000000-0000-7000-8000-000000000000', role: 'owner' } as const
