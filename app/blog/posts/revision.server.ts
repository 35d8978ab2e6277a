import { sql } from 'kysely'
import { z } from 'zod'
import { namesOf } from './author.server.ts'
import { findPost } from './post.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import type { PostDraft } from './draft.ts'
import { savePostDraft } from './draft.server.ts'
import { postFieldNames, storedFields } from './post.ts'
import type { ListedRevision, Revision, RevisionPage } from './revision.ts'

const PAGE_SIZE = 50
/** An earlier version lacks fields that the product got after it. */
const noFields = Object.fromEntries(postFieldNames.map((name) => [name, null]))

const listed = z.object({
  version: z.number(),
  editorId: z.string(),
  createdAt: z.date(),
  title: z.string(),
  published: z.boolean(),
  publishedAt: z.nullable(z.string()),
})

/** The versions of a post, newest first. */
export async function listRevisions(postId: string, page: number): Promise<RevisionPage | undefined> {
  if (!(await findPost(postId))) return undefined
  const revisions = db.selectFrom('postRevisions').where('postId', '=', postId)
  const { total } = await revisions.select(rowCount.as('total')).executeTakeFirstOrThrow()
  const rows = await revisions
    .select(['version', 'editorId', 'createdAt'])
    // Leaves out the content, which would be fifty versions long.
    .select([
      sql`fields->>'title'`.as('title'),
      sql`(fields->>'published')::boolean`.as('published'),
      sql`fields->>'publishedAt'`.as('publishedAt'),
    ])
    .orderBy('version', 'desc')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  return { items: await named(z.array(listed).parse(rows)), total, page, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) }
}

export async function findRevision(postId: string, version: number): Promise<Revision | undefined> {
  const row = await db
    .selectFrom('postRevisions')
    .innerJoin('posts', 'posts.id', 'postRevisions.postId')
    .select(['postRevisions.version', 'postRevisions.editorId', 'postRevisions.createdAt', 'fields'])
    .where('postId', '=', postId)
    .where('postRevisions.version', '=', version)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { fields: kept, ...rest } = row
  const fields = storedFields.parse({ ...noFields, ...kept })
  const { title, published, publishedAt } = fields
  const [listed] = await named([{ ...rest, title, published, publishedAt }])
  return listed && { ...listed, fields }
}

/**
 * Copies an earlier version into the draft; readers see it only after a save. Slug and publication stay as they are. `expected` as in
 * `savePostDraft`.
 */
export async function restoreRevision(
  postId: string,
  version: number,
  editorId: string,
  expected: number | undefined,
): Promise<PostDraft | undefined> {
  const [post, revision] = await Promise.all([findPost(postId), findRevision(postId, version)])
  if (!post || !revision) return undefined
  const { authorId: _author, ...words } = revision.fields
  const { slug, published, publishedAt } = post
  return savePostDraft(postId, { fields: { ...words, slug, published, publishedAt }, baseVersion: post.version }, editorId, expected)
}

async function named<Kept extends { editorId: string; createdAt: Date }>(
  rows: Kept[],
): Promise<(Omit<Kept, 'createdAt'> & Pick<ListedRevision, 'editor' | 'createdAt'>)[]> {
  const names = await namesOf(rows.map(({ editorId }) => editorId))
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), editor: names.get(row.editorId) ?? null }))
}
