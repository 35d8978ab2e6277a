import { z } from 'zod'
import { RENDERING, renderMarkdown } from '#app/blog/markdown/markdown.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'

const KIND = 'blog.render'

/** Schedules rendering for posts of an older rendering version. */
export async function rerenderPosts(): Promise<void> {
  if (await findStale('')) await enqueue(db, { kind: KIND, payload: {} })
}

defineJob(KIND, z.object({}), async (_, { signal }) => {
  let last = ''
  for (let post = await findStale(last); post; post = await findStale(last)) {
    signal.throwIfAborted()
    await renew(post)
    last = post.id
  }
  await clearPages('posts', 'post-pages')
})

type Stale = { id: string; content: string; version: number }

function findStale(after: string): Promise<Stale | undefined> {
  const stale = db.selectFrom('posts').select(['id', 'content', 'version']).where('rendering', '!=', RENDERING)
  return (after ? stale.where('id', '>', after) : stale).orderBy('id').limit(1).executeTakeFirst()
}

/** A save in the meantime has rendered it already. A post that can no longer be rendered keeps its HTML. */
async function renew({ id, content, version }: Stale): Promise<void> {
  const rendered = await renderMarkdown(content).catch((error: unknown) => {
    if (error instanceof Stop) return undefined
    throw error
  })
  if (!rendered) return
  const { headings, ...columns } = rendered
  const changed = { ...columns, headings: JSON.stringify(headings) }
  await db.updateTable('posts').set(changed).where('id', '=', id).where('version', '=', version).execute()
}
