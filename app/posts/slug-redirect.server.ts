import { sql } from 'kysely'
import { insert, type Trx } from '#app/platform/db.server.ts'
import { takeRedirects } from '#app/redirects/redirect-lock.server.ts'

const MOVED = 'The post has a new address'

/**
 * A post that was public moves: its old address leads to the new one for good, and so does every address that led to the old one. What stood at the new
 * address leads nowhere any more, so nobody goes round in a circle.
 */
export async function keepAddress(trx: Trx, oldSlug: string, newSlug: string): Promise<void> {
  const [from, to] = [`/blog/${oldSlug}`, `/blog/${newSlug}`]
  await takeRedirects(trx)
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

/** A post is published where another had moved away from: the way that was laid there then would hide it. What staff laid is theirs to judge. */
export async function clearAddress(trx: Trx, slug: string): Promise<void> {
  const ways = trx.selectFrom('redirects').select('id').where('fromPath', '=', `/blog/${slug}`).where('description', '=', MOVED)
  if (!(await ways.executeTakeFirst())) return
  await takeRedirects(trx)
  await trx.deleteFrom('redirects').where('id', 'in', ways).execute()
}
