import { sql } from 'kysely'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { lockRedirects } from '#app/redirects/rules/redirect-lock.server.ts'

const MOVED = 'The post has a new address'

/**
 * Redirects the old address of a public post to its new one permanently, and shortens chains that end at the old one. A redirect of the new
 * address is deleted, which would make a loop.
 */
export async function redirectOldSlug(trx: Trx, oldSlug: string, newSlug: string): Promise<void> {
  const [from, to] = [`/blog/${oldSlug}`, `/blog/${newSlug}`]
  await lockRedirects(trx)
  await trx.deleteFrom('redirects').where('kind', '=', 'exact').where('fromPath', 'in', [from, to]).execute()
  await trx
    .updateTable('redirects')
    .set({ toPath: to, updatedAt: sql`now()` })
    .where('toPath', '=', from)
    .execute()
  const { last } = await trx
    .selectFrom('redirects')
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  await insert(trx, 'redirects', { position: last + 1, fromPath: from, toPath: to, description: MOVED })
}

/** Deletes a redirect that would hide a newly published post. Only automatic redirects are deleted, never those of staff. */
export async function deleteSlugRedirect(trx: Trx, slug: string): Promise<void> {
  const ways = trx.selectFrom('redirects').select('id').where('fromPath', '=', `/blog/${slug}`).where('description', '=', MOVED)
  if (!(await ways.executeTakeFirst())) return
  await lockRedirects(trx)
  await trx.deleteFrom('redirects').where('id', 'in', ways).execute()
}
