import { z } from 'zod'
import { db } from '#app/platform/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { postBody } from '#app/posts/post.ts'
import { NOBODY } from '#app/posts/nobody.ts'
import { createPost } from '#app/posts/post-write.server.ts'
import { firstPosts } from '#app/site/content/first-posts.ts'

const KIND = 'blog.begin'

/** Has the first posts made, after the start and beside everything else, unless that has been done: what was removed does not come back. */
export async function beginBlog(): Promise<void> {
  if (!(await hasBegun())) await enqueue(db, { kind: KIND, payload: {} })
}

defineJob(KIND, z.object({}), async () => {
  if (await hasBegun()) return
  const { ownerId } = await db.selectFrom('installation').select('ownerId').executeTakeFirstOrThrow()
  const editor = ownerId ? { id: ownerId, role: 'owner' as const } : NOBODY
  for (const { tags, ...post } of firstPosts) {
    await createPost(postBody.parse({ ...post, tags: [...tags], published: true }), editor).catch(ignoreTaken)
  }
  await db.updateTable('installation').set({ blogBegunAt: new Date() }).execute()
})

async function hasBegun(): Promise<boolean> {
  const begun = db.selectFrom('installation').select('ownerId').where('blogBegunAt', 'is not', null)
  return (await begun.executeTakeFirst()) !== undefined
}

/** Made by this work before it was cut off, or by someone in the meantime. */
function ignoreTaken(error: unknown) {
  if (!(error instanceof Stop && error.kind === 'conflict')) throw error
}
