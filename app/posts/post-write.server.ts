import { sql } from 'kysely'
import type { Viewer } from '#app/account/viewer.ts'
import { holdPictures } from '#app/images/image-use.server.ts'
import { directory } from '#app/users/directory.server.ts'
import { breaks } from '#app/platform/database-error.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import { limits, type Post, type PostBody } from './post.ts'
import { isPublicAt, publishChange } from './post-change.server.ts'
import { databaseTime, lockPost, type PostRow, toPost } from './post-row.server.ts'
import { preparePost } from './prepared-post.server.ts'
import { clearAddress, keepAddress } from './slug-redirect.server.ts'

export type Editor = Pick<Viewer, 'id' | 'role'>

/** Makes a post of its writer. One with the same slug stops it. */
export async function createPost(body: PostBody, editor: Editor): Promise<Post> {
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = (await newAuthor(body, editor)) ?? editor.id
  return decideSlug(body.slug, async (trx) => {
    await holdPictures(trx, pictures)
    const now = await databaseTime(trx)
    const publication = publicationOf(body, undefined, now)
    const wasPublic = isPublicAt(publication, now)
    const row = await insert(trx, 'posts', { ...prepared, ...publication, wasPublic, authorId, createdAt: now, updatedAt: now })
    await keepRevision(trx, row, editor)
    if (row.published) await clearAddress(trx, row.slug)
    await publishChange(trx, undefined, row, now)
    return toPost(row)
  })
}

/**
 * Puts the whole post in place of what it was, as its next version; answers nothing where there is no such post. `expected` is the version that the
 * editor has seen: stops with `edit_conflict` and what stands there now when someone else was quicker.
 */
export async function savePost(id: string, body: PostBody, editor: Editor, expected?: number): Promise<Post | undefined> {
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = await newAuthor(body, editor)
  return decideSlug(body.slug, async (trx) => {
    const before = await lockPost(trx, id, expected)
    if (!before) return undefined
    await holdPictures(trx, pictures)
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
    if (after.slug !== before.slug && (before.wasPublic || isPublicAt(before, now))) await keepAddress(trx, before.slug, after.slug)
    if (after.published) await clearAddress(trx, after.slug)
    await publishChange(trx, before, after, now)
    return toPost(after)
  })
}

/** Takes a post away; its versions are kept. Answers `false` where there is none. */
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

/** Its time is set when it is published for the first time, and stays from then on; given, it counts. `null` takes back one that has not come. */
function publicationOf({ published, publishedAt }: PostBody, before: PostRow | undefined, now: Date) {
  const wasShown = before !== undefined && (before.wasPublic || isPublicAt(before, now))
  const kept = publishedAt === null && !wasShown ? null : (before?.publishedAt ?? null)
  const given = publishedAt ? new Date(publishedAt) : kept
  return { published, publishedAt: given ?? (published ? now : null), removedAt: null }
}

/** Only who owns the installation hands a post to someone else; from others it is what they were told, sent back. */
async function newAuthor({ authorId }: PostBody, editor: Editor): Promise<string | undefined> {
  if (!authorId || editor.role !== 'owner') return undefined
  const author = authorId === editor.id ? editor : await directory.findUser(authorId)
  const sentence = 'There is no such author among your staff.'
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

/** Whether readers would see no difference. */
function isSame(one: PostRow, other: Pick<PostRow, (typeof seen)[number] | 'tags' | 'publishedAt'>): boolean {
  return (
    seen.every((column) => one[column] === other[column]) &&
    one.tags.join('\n') === other.tags.join('\n') &&
    one.publishedAt?.getTime() === other.publishedAt?.getTime()
  )
}

/** Each version whole, by whose hand: none is ever lost. */
async function keepRevision(trx: Trx, row: PostRow, editor: Editor): Promise<void> {
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

/** Whose slug it is the database decides: of two who want one at the same moment, one is told what else is free. */
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
  const base = slug.slice(0, limits.slug - 6).replace(/-$/, '')
  const { rows } = await sql<{ slug: string }>`
    SELECT ${base}::text || '-' || n AS slug FROM generate_series(2, 99999) AS n
    WHERE NOT EXISTS (SELECT 1 FROM posts WHERE posts.slug = ${base}::text || '-' || n AND removed_at IS NULL) LIMIT 1`.execute(db)
  return rows[0]?.slug ?? `${base}-${newId().slice(0, 4)}`
}
