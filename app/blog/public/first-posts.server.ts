import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { postBody } from '#app/blog/posts/post.ts'
import { SYSTEM_EDITOR, createPost } from '#app/blog/posts/post.server.ts'
import { firstPosts } from '#app/content/first-posts.ts'

const KIND = 'blog.begin'

/** Schedules the sample posts once, in the background after the start. Deleted ones are never created again. */
export async function scheduleFirstPosts(): Promise<void> {
  if (!(await hasBegun())) await enqueue(db, { kind: KIND, payload: {} })
}

defineJob(KIND, z.object({}), async () => {
  if (await hasBegun()) return
  const { ownerId } = await db.selectFrom('installation').select('ownerId').executeTakeFirstOrThrow()
  const editor = ownerId ? { id: ownerId, role: 'owner' as const } : SYSTEM_EDITOR
  for (const { tags, ...post } of firstPosts) {
    await createPost(postBody.parse({ ...post, tags: [...tags], published: true }), editor).catch(ignoreTaken)
  }
  await db.updateTable('installation').set({ blogBegunAt: new Date() }).execute()
})

async function hasBegun(): Promise<boolean> {
  const begun = db.selectFrom('installation').select('ownerId').where('blogBegunAt', 'is not', null)
  return (await begun.executeTakeFirst()) !== undefined
}

/** The slug exists after an interrupted earlier run, or from someone else's post. */
function ignoreTaken(error: unknown) {
  if (!(error instanceof Stop && error.kind === 'conflict')) throw error
}
