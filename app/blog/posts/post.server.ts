import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { z } from 'zod/mini'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { lockImages } from '#app/blog/images/image-use.server.ts'
import { findImageReferences, picturesNamedIn } from '#app/blog/images/picture.server.ts'
import { renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { breaks } from '#app/platform/database/database-error.ts'
import { db, insert, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { excerptOf } from './excerpt.server.ts'
import {
  isFeaturedImage,
  NO_FEATURED_IMAGE,
  type Post,
  type PostBody,
  postFieldNames,
  readingMinutes,
  SLUG_MAX,
  storedFields,
} from './post.ts'
import { deleteSlugRedirect, isPublicAt, publishChange, redirectOldSlug } from './post-publish.server.ts'
import { isPublic } from './public-post.server.ts'
import { NEVER_SAVED } from './draft.ts'

export type StoredPost = Row<'posts'>
export type PostEditor = Pick<CurrentUser, 'id' | 'role'>

const DAY_MS = 24 * 3_600_000

/** The editor of posts without an account: the business is named as the author. */
export const SYSTEM_EDITOR = { id: '00000000-0000-7000-8000-000000000000', role: 'owner' } as const

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

/** Stops when the slug is in use. A draft that was begun under `id` becomes this post; a request that is repeated makes no second one. */
export async function createPost(body: PostBody, editor: PostEditor, id?: string): Promise<Post> {
  if (id !== undefined) return createBegun(id, body, editor)
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = (await newAuthor(body, editor)) ?? editor.id
  return decideSlug(body.slug, async (trx) => {
    await lockImages(trx, pictures)
    const now = await databaseTime(trx)
    const publication = publicationOf(body, undefined, now)
    const wasPublic = isPublicAt(publication, now)
    const row = await insert(trx, 'posts', { ...prepared, ...publication, wasPublic, authorId, createdAt: now, updatedAt: now })
    await keepRevision(trx, row, editor)
    if (wasPublic) await deleteSlugRedirect(trx, row.slug)
    await publishChange(trx, undefined, row, now)
    return toPost(row)
  })
}

async function createBegun(id: string, body: PostBody, editor: PostEditor): Promise<Post> {
  try {
    const created = await writePost(id, body, editor, { expected: NEVER_SAVED, begins: true })
    return created ?? stop('conflict', 'This post has been deleted.', { code: 'post_deleted' })
  } catch (error) {
    const current = await findPost(id)
    if (current?.version === 1 && (await isRepeated(current, body, editor))) return current
    throw error
  }
}

/** Whether the first version of a post is what this request asks for, in every field. */
async function isRepeated(post: Post, body: PostBody, editor: PostEditor): Promise<boolean> {
  const { published, publishedAt } = body
  const asked = {
    ...writtenFields.parse(await preparePost(body)),
    published,
    // Without a time, a post is public from its first save on.
    publishedAt: publishedAt ? new Date(publishedAt).toISOString() : published ? post.updatedAt : null,
    authorId: (await newAuthor(body, editor)) ?? post.authorId,
  }
  return isDeepStrictEqual(asked, storedFields.parse(post))
}

/** The slug is the id, which no other post can have, until the first save. */
export async function beginPost(trx: Trx, id: string, editorId: string): Promise<void> {
  const nothing = { title: '', excerpt: '', content: '', html: '' }
  await trx
    .insertInto('posts')
    .values({ id, slug: id.toLowerCase(), ...nothing, authorId: editorId, version: NEVER_SAVED })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Replaces the whole post and adds a version; `undefined` when there is no such post. `expected` is the version that the editor last saw.
 * Stops with `edit_conflict` and the current post when the version differs.
 */
export async function savePost(id: string, body: PostBody, editor: PostEditor, expected?: number): Promise<Post | undefined> {
  return writePost(id, body, editor, { expected, begins: false })
}

type Basis = { expected: number | undefined; /** Begins the post if there is none. */ begins: boolean }

async function writePost(id: string, body: PostBody, editor: PostEditor, { expected, begins }: Basis): Promise<Post | undefined> {
  const { pictures, ...prepared } = await preparePost(body)
  const authorId = await newAuthor(body, editor)
  return decideSlug(body.slug, async (trx) => {
    if (begins) await beginPost(trx, id, editor.id)
    const before = await lockPost(trx, id, expected)
    if (!before) return undefined
    await lockImages(trx, pictures)
    const now = await databaseTime(trx)
    const next = { ...prepared, ...publicationOf(body, before, now), authorId: authorId ?? before.authorId }
    // A draft of someone else may hold text that this editor has not seen.
    const own = trx.deleteFrom('postDrafts').where('postId', '=', id).where('editorId', '=', editor.id)
    await own.where('baseVersion', '=', before.version).execute()
    if (next.slug !== before.slug && (before.wasPublic || isPublicAt(before, now))) await redirectOldSlug(trx, before.slug, next.slug)
    return toPost(await storeVersion(trx, before, next, editor, now))
  })
}

/** As `insert` takes them: JSON is text. */
type PostChange = Partial<Omit<StoredPost, 'id' | 'search' | 'headings' | 'createdAt'> & { headings: string }>

/** Stores changed columns of a locked post as its next version, and purges the pages that show them. */
export async function storeVersion(trx: Trx, before: StoredPost, change: PostChange, editor: PostEditor, now: Date): Promise<StoredPost> {
  const next = { ...before, ...change }
  const after = await trx
    .updateTable('posts')
    .set({
      ...change,
      version: before.version + 1,
      wasPublic: before.wasPublic || isPublicAt(before, now) || isPublicAt(next, now),
      updatedAt: isSame(before, next) ? before.updatedAt : now,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepRevision(trx, after, editor)
  if (isPublicAt(after, now)) await deleteSlugRedirect(trx, after.slug)
  await publishChange(trx, before, after, now)
  return after
}

/** How long a deleted post and its draft can be restored, in days. */
export const RESTORABLE_DAYS = 30

/** Deletes a post but keeps its versions, its draft and its preview links for `restorePost`. Returns `false` when there is none. */
export async function removePost(id: string, expected?: number): Promise<boolean> {
  return transaction(async (trx) => {
    const before = await lockPost(trx, id, expected)
    if (!before) return false
    await removeLocked(trx, before)
    return true
  })
}

/** `removePost` of a locked post. */
export async function removeLocked(trx: Trx, before: StoredPost): Promise<void> {
  const now = await databaseTime(trx)
  const after = await trx
    .updateTable('posts')
    .set({ removedAt: now, wasPublic: before.wasPublic || isPublicAt(before, now), version: before.version + 1 })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishChange(trx, before, after, now)
}

/**
 * Undoes the deletion of a post, which returns exactly as it was. Returns a post that is not deleted unchanged, and `undefined` when there
 * is none. Stops when it is too late, or when another post has the slug now.
 */
export async function restorePost(id: string, editor: PostEditor): Promise<Post | undefined> {
  const { slug } = (await db.selectFrom('posts').select('slug').where('id', '=', id).executeTakeFirst()) ?? {}
  if (slug === undefined) return undefined
  return decideSlug(slug, async (trx) => {
    const before = await trx.selectFrom('posts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before?.removedAt) return before && toPost(before)
    const now = await databaseTime(trx)
    if (now.getTime() - before.removedAt.getTime() > RESTORABLE_DAYS * DAY_MS) {
      stop('conflict', 'It is too late to undo this.', { code: 'too_late' })
    }
    const after = await trx
      .updateTable('posts')
      // The version before the deletion, because the content is that version's.
      .set({ removedAt: null, version: before.version - 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await audit(trx, 'post_removal_undone', { actorId: editor.id, detail: { object: id } })
    if (isPublicAt(after, now)) await deleteSlugRedirect(trx, after.slug)
    await publishChange(trx, undefined, after, now)
    return toPost(after)
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

const seen = [...postFieldNames, 'html', 'authorId'] as const

/** Whether readers see no difference. */
function isSame(one: StoredPost, other: Pick<StoredPost, (typeof seen)[number]>): boolean {
  return seen.every((column) => isDeepStrictEqual(one[column], other[column]))
}

/** Stores each version in full, with its editor. */
async function keepRevision(trx: Trx, row: StoredPost, editor: PostEditor): Promise<void> {
  await insert(trx, 'postRevisions', {
    id: newId(),
    postId: row.id,
    version: row.version,
    fields: JSON.stringify(storedFields.parse(toPost(row))),
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
  const base = slug.slice(0, SLUG_MAX - 6).replace(/-$/, '')
  const rows = await queryRows(
    db,
    { slug: z.string() },
    sql`
    SELECT ${base}::text || '-' || n AS slug FROM generate_series(2, 99999) AS n
    WHERE NOT EXISTS (SELECT 1 FROM posts WHERE posts.slug = ${base}::text || '-' || n AND removed_at IS NULL) LIMIT 1`,
  )
  return rows[0]?.slug ?? `${base}-${newId().slice(0, 4)}`
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
  const rows = await queryRows(trx, { now: z.date() }, sql`SELECT date_trunc('milliseconds', now()) AS now`)
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

/**
 * Derives columns from the request alone, renders the Markdown, and lists the library images in `pictures`. It is slow, so it runs before
 * the transaction.
 */
async function preparePost(body: PostBody) {
  if (body.featuredImage && !isFeaturedImage(body.featuredImage, env.SITE_URL)) {
    stop('unprocessable', NO_FEATURED_IMAGE, { code: 'validation_failed', errors: { featuredImage: NO_FEATURED_IMAGE } })
  }
  const pictures = await findImageReferences(picturesNamedIn(`${body.featuredImage ?? ''}\n${body.content}`))
  const { html, headings, words, rendering } = await renderMarkdown(body.content)
  // An empty field is stored as null.
  const given = Object.fromEntries(postFieldNames.map((name) => [name, body[name] || null]))
  return {
    ...writtenFields.parse({ ...given, excerpt: body.excerpt || excerptOf(html) || body.title }),
    html,
    headings: JSON.stringify(headings),
    words,
    rendering,
    pictures: [...pictures.keys()],
  }
}

/** The others depend on the stored post. */
const writtenFields = z.omit(storedFields, { published: true, publishedAt: true, authorId: true })
