import { z } from 'zod/mini'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { NEVER_SAVED } from './draft.ts'
import { storedFields, TAGS_MAX } from './post.ts'
import type { ChangedPosts, PostBulk, PostBulkUndo } from './post-bulk.ts'
import { restoreSlugRedirect } from './post-publish.server.ts'
import { databaseTime, lockPost, type PostEditor, removeLocked, restorePost, type StoredPost, storeVersion } from './post.server.ts'

/**
 * Changes several posts in one transaction, but not their text or drafts. Posts that already are as asked do not change. A post that was
 * never saved can only be deleted.
 */
export async function changePosts(bulk: PostBulk, editor: PostEditor): Promise<ChangedPosts> {
  return transaction(async (trx) => {
    const now = await databaseTime(trx)
    const posts = []
    // Always in the same order, so that two changes never wait for each other.
    for (const id of [...new Set(bulk.ids)].toSorted()) {
      const before = await lockPost(trx, id, undefined)
      const after = before && (await changeLocked(trx, before, bulk, editor, now))
      if (after) {
        const { version, published, publishedAt } = after
        posts.push({ id, version, published, publishedAt: publishedAt?.toISOString() ?? null })
      }
    }
    return { posts }
  })
}

/** `undefined` when there is nothing to change. */
async function changeLocked(trx: Trx, before: StoredPost, bulk: PostBulk, editor: PostEditor, now: Date): Promise<StoredPost | undefined> {
  if (bulk.change === 'delete') {
    await removeLocked(trx, before)
    return { ...before, version: before.version + 1 }
  }
  const change = before.version === NEVER_SAVED ? undefined : columnsOf(before, bulk, now)
  return change && storeVersion(trx, before, change, editor, now)
}

/** The new columns, or `undefined` when they are as they should be. */
function columnsOf({ tags, published, publishedAt }: StoredPost, bulk: Exclude<PostBulk, { change: 'delete' }>, now: Date) {
  switch (bulk.change) {
    case 'publish':
      return published ? undefined : { published: true, publishedAt: publishedAt ?? now }
    case 'unpublish':
      return published ? { published: false } : undefined
    case 'tag':
      return tags.includes(bulk.tag) || tags.length >= TAGS_MAX ? undefined : { tags: [...tags, bulk.tag] }
    case 'untag':
      return tags.includes(bulk.tag) ? { tags: tags.filter((tag) => tag !== bulk.tag) } : undefined
    default:
      return bulk satisfies never
  }
}

const changedFields = z.pick(storedFields, { tags: true, published: true, publishedAt: true })

/** Returns posts to what they were before a bulk change. Those that have changed since stay. */
export async function undoPostChanges({ posts }: PostBulkUndo, editor: PostEditor): Promise<{ restored: number; left: number }> {
  let restored = 0
  for (const { id, version } of posts) if (await undoChange(id, version, editor)) restored += 1
  return { restored, left: posts.length - restored }
}

async function undoChange(id: string, version: number, editor: PostEditor): Promise<boolean> {
  const post = await db.selectFrom('posts').select(['slug', 'version', 'removedAt']).where('id', '=', id).executeTakeFirst()
  if (post?.version !== version) return false
  if (!post.removedAt) return revertChange(id, version, editor)
  const taken = db.selectFrom('posts').select('id').where('slug', '=', post.slug).where('removedAt', 'is', null)
  if (await taken.executeTakeFirst()) return false
  return (await restorePost(id, editor)) !== undefined
}

/** The former tags and publication become the next version; the text is the same in both. */
async function revertChange(id: string, version: number, editor: PostEditor): Promise<boolean> {
  return transaction(async (trx) => {
    const before = await lockPost(trx, id, undefined)
    const revisions = trx.selectFrom('postRevisions').select(['fields', 'createdAt']).where('postId', '=', id)
    const former = await revisions.where('version', '=', version - 1).executeTakeFirst()
    const changed = await revisions.where('version', '=', version).executeTakeFirst()
    if (before?.version !== version || !former || !changed) return false
    const { tags, published, publishedAt } = changedFields.parse(former.fields)
    const change = { tags, published, publishedAt: publishedAt === null ? null : new Date(publishedAt) }
    await storeVersion(trx, before, change, editor, await databaseTime(trx))
    if (before.published && !published) await restoreSlugRedirect(trx, before.slug, changed.createdAt)
    return true
  })
}
