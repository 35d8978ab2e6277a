import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { namesOf } from './author.server.ts'
import { beginPost, lockPost, removeLocked } from './post.server.ts'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { daysAgo } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { type PostDraft, type DraftBody, type DraftState, isEmptyDraft, NEVER_SAVED } from './draft.ts'
import { draftFields } from './post.ts'

/** In characters: as long as a title may be. */
const TITLE_LISTED = 200

/** The unsaved draft of a post; `undefined` when there is no such post. */
export async function findDraft(postId: string): Promise<DraftState | undefined> {
  const post = await db.selectFrom('posts').select('version').where('id', '=', postId).where('removedAt', 'is', null).executeTakeFirst()
  if (!post) return undefined
  const row = await db.selectFrom('postDrafts').selectAll().where('postId', '=', postId).executeTakeFirst()
  return { postVersion: post.version, draft: row ? await toDraft(row) : null }
}

/**
 * Saves the draft of a post, which only staff can see. `expected` is the version that the editor last saw, or `undefined` for none. Stops
 * with `edit_conflict` and the stored draft when the version differs. Begins a new post where the draft is of none: the editor chooses its
 * id, so a repeated request begins no second one.
 */
export async function savePostDraft(
  postId: string,
  body: DraftBody,
  editorId: string,
  expected: number | undefined,
): Promise<PostDraft | undefined> {
  const outcome = await transaction(async (trx) => {
    const isNew = body.baseVersion === NEVER_SAVED
    if (isNew && expected === undefined) await beginPost(trx, postId, editorId)
    const post = await lockPost(trx, postId, undefined)
    // An empty draft was removed when another window left it. A deleted post is not begun again.
    if (!post) return isNew && expected !== undefined && !(await isKnown(trx, postId)) ? { current: undefined } : undefined
    const written = await writeDraft(trx, postId, body, editorId, expected)
    if ('row' in written && post.version === NEVER_SAVED) await nameAfterDraft(trx, postId, body)
    return written
  })
  if (!outcome) return undefined
  if ('row' in outcome) return toDraft(outcome.row)
  const current = outcome.current ? await toDraft(outcome.current) : null
  const sentence = current ? 'Someone else is editing this post.' : 'This draft was saved or discarded in the meantime.'
  return stop('conflict', sentence, { code: 'edit_conflict', current })
}

async function isKnown(trx: Trx, id: string): Promise<boolean> {
  return (await trx.selectFrom('posts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** A post that was never saved is listed, and found, by the title of its draft. */
async function nameAfterDraft(trx: Trx, id: string, { fields }: DraftBody): Promise<void> {
  const title = oneLine(fields.title ?? '').slice(0, TITLE_LISTED)
  await trx.updateTable('posts').set({ title }).where('id', '=', id).where('title', '<>', title).execute()
}

type DraftRow = Row<'postDrafts'>
type Outcome = { row: DraftRow } | { current: DraftRow | undefined }

/** The post is locked, so no other write can come between the two statements. */
async function writeDraft(trx: Trx, postId: string, body: DraftBody, editorId: string, expected: number | undefined): Promise<Outcome> {
  const values = { fields: JSON.stringify(body.fields), baseVersion: body.baseVersion, editorId }
  const current = await trx.selectFrom('postDrafts').selectAll().where('postId', '=', postId).executeTakeFirst()
  if (current?.version !== expected) return { current }
  const written = current
    ? trx
        .updateTable('postDrafts')
        .set({ ...values, version: current.version + 1, updatedAt: sql`now()` })
        .where('postId', '=', postId)
    : // The first version is random, so an editor with the discarded draft open cannot mistake the new one for it.
      trx.insertInto('postDrafts').values({ postId, ...values, version: randomInt(1, 500_000_000) })
  return { row: await written.returningAll().executeTakeFirstOrThrow() }
}

/**
 * Discards the draft; a saved post stays unchanged. A post that was never saved is deleted with it, and can be restored unless it is empty.
 */
export async function discardDraft(postId: string, expected: number | undefined): Promise<void> {
  const other = await transaction(async (trx) => {
    const post = await lockPost(trx, postId, undefined)
    const current = post && (await trx.selectFrom('postDrafts').selectAll().where('postId', '=', postId).executeTakeFirst())
    if (!post || !current) return undefined
    if (expected !== undefined && expected !== current.version) return current
    if (post.version !== NEVER_SAVED) await trx.deleteFrom('postDrafts').where('postId', '=', postId).execute()
    else if (isEmptyDraft(current.fields)) await trx.deleteFrom('posts').where('id', '=', postId).execute()
    else await removeLocked(trx, post)
    return undefined
  })
  if (other) stop('conflict', 'Someone else is editing this post.', { code: 'edit_conflict', current: await toDraft(other) })
}

/** Deletes posts that were begun and left empty, where the editor could not do it: its window was closed or offline. */
async function removeEmptyPosts(): Promise<void> {
  const left = await db
    .selectFrom('posts')
    .innerJoin('postDrafts', 'postDrafts.postId', 'posts.id')
    .select(['posts.id', 'fields', 'postDrafts.version'])
    .where('posts.version', '=', NEVER_SAVED)
    .where('posts.title', '=', '')
    .where('posts.removedAt', 'is', null)
    .where('postDrafts.updatedAt', '<', daysAgo(1))
    .limit(1000)
    .execute()
  for (const { id, version } of left.filter(({ fields }) => isEmptyDraft(fields))) {
    const draft = db.selectFrom('postDrafts').select('postId').where('postId', '=', id).where('version', '=', version)
    await db.deleteFrom('posts').where('id', 'in', draft).execute()
  }
}

defineJob('drafts-empty', z.unknown(), removeEmptyPosts, { every: 'day' })

async function toDraft({ fields, baseVersion, version, editorId, updatedAt }: DraftRow): Promise<PostDraft> {
  const editor = (await namesOf([editorId])).get(editorId) ?? null
  return { fields: draftFields.parse(fields), baseVersion, version, editorId, editor, updatedAt: updatedAt.toISOString() }
}
