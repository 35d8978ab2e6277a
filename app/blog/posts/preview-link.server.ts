import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { namesOf } from './author.server.ts'
import { lockPost, RESTORABLE_DAYS } from './post.server.ts'
import { previewTokenHash } from './preview-token.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { condition, daysAgo } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { NewPreviewLink, PreviewLink } from './preview.ts'

const TOKEN_BYTES = 32
/** Per post: more would be hard to keep track of. */
const MOST_LINKS = 50

const isGood = condition`expires_at > now()`

/** Creates a link that shows the post to anyone for some days. Only its hash is stored, so it cannot be shown again. */
export async function makePreviewLink(postId: string, days: number, editorId: string): Promise<NewPreviewLink | undefined> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const tokenHash = previewTokenHash(token)
  const expiresAt = new Date(Date.now() + days * 24 * 3_600_000)
  const row = await transaction(async (trx) => {
    if (!(await lockPost(trx, postId, undefined))) return undefined
    const links = await trx.selectFrom('postPreviews').select('id').where('postId', '=', postId).where(isGood).execute()
    if (links.length >= MOST_LINKS)
      stop('conflict', `This post already has ${MOST_LINKS} links. Revoke one first.`, { code: 'too_many_links' })
    return insert(trx, 'postPreviews', { postId, tokenHash, createdBy: editorId, expiresAt })
  })
  const [link] = row ? await listed([row]) : []
  return link && { ...link, url: `${env.SITE_URL}/blog/preview/${token}` }
}

/** The active links of a post, newest first. */
export async function listPreviewLinks(postId: string): Promise<PreviewLink[]> {
  const rows = db.selectFrom('postPreviews').selectAll().where('postId', '=', postId).where(isGood)
  return listed(await rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(MOST_LINKS).execute())
}

/** Revokes a link. Returns `false` when there is none. */
export async function revokePreviewLink(postId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('postPreviews').where('postId', '=', postId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

async function listed(rows: Row<'postPreviews'>[]): Promise<PreviewLink[]> {
  const names = await namesOf(rows.map(({ createdBy }) => createdBy))
  return rows.map(({ id, createdBy, expiresAt, createdAt }) => ({
    id,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    createdBy: names.get(createdBy) ?? null,
  }))
}

// Deletes expired links, and all that can no longer be restored with a deleted post.
defineJob(
  'drafts-housekeeping',
  z.unknown(),
  async () => {
    await db.deleteFrom('postPreviews').where('expiresAt', '<', new Date()).execute()
    const gone = db.selectFrom('posts').select('id').where('removedAt', '<', daysAgo(RESTORABLE_DAYS))
    await db.deleteFrom('postPreviews').where('postId', 'in', gone).execute()
    await db.deleteFrom('postDrafts').where('postId', 'in', gone).execute()
  },
  { every: 'day' },
)
