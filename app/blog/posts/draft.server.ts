import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { namesOf } from './author.server.ts'
import { lockPost } from './post.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Row } from '#db/tables.ts'
import type { PostDraft, DraftBody, DraftState } from './draft.ts'
import { draftFields } from './post.ts'

/** The unsaved draft of a post; `undefined` when there is no such post. */
export async function findDraft(postId: string): Promise<DraftState | undefined> {
  const post = await db.selectFrom('posts').select('version').where('id', '=', postId).where('removedAt', 'is', null).executeTakeFirst()
  if (!post) return undefined
  const row = await db.selectFrom('postDrafts').selectAll().where('postId', '=', postId).executeTakeFirst()
  return { postVersion: post.version, draft: row ? await toDraft(row) : null }
}

/**
 * Saves the draft of a post, which only staff can see. `expected` is the version that the editor last saw, or `undefined` for none. Stops
 * with `edit_conflict` and the stored draft when the version differs.
 */
export async function savePostDraft(
  postId: string,
  body: DraftBody,
  editorId: string,
  expected: number | undefined,
): Promise<PostDraft | undefined> {
  const outcome = await transaction(async (trx) => {
    const post = await lockPost(trx, postId, undefined)
    return post && writeDraft(trx, postId, body, editorId, expected)
  })
  if (!outcome) return undefined
  if ('row' in outcome) return toDraft(outcome.row)
  const current = outcome.current ? await toDraft(outcome.current) : null
  const sentence = current ? 'Someone else is editing this post.' : 'This draft was saved or discarded in the meantime.'
  return stop('conflict', sentence, { code: 'edit_conflict', current })
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

/** Discards the draft; the post stays unchanged. */
export async function discardDraft(postId: string, expected: number | undefined): Promise<void> {
  const meant = db.deleteFrom('postDrafts').where('postId', '=', postId)
  const { numDeletedRows } = await (expected === undefined ? meant : meant.where('version', '=', expected)).executeTakeFirst()
  if (numDeletedRows > 0n || expected === undefined) return
  const state = await findDraft(postId)
  if (state?.draft) stop('conflict', 'Someone else is editing this post.', { code: 'edit_conflict', current: state.draft })
}

async function toDraft({ fields, baseVersion, version, editorId, updatedAt }: DraftRow): Promise<PostDraft> {
  const editor = (await namesOf([editorId])).get(editorId) ?? null
  return { fields: draftFields.parse(fields), baseVersion, version, editorId, editor, updatedAt: updatedAt.toISOString() }
}
