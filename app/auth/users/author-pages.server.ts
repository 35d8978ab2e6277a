import { nameOf } from './user-name.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { clearPagesWith } from '#app/platform/page-cache/page-cache.server.ts'

type Profile = Readonly<Record<string, unknown>>

/** Clears the public pages that name a person, if they have written posts. */
export async function clearAuthorPages(trx: Trx, userId: string): Promise<void> {
  const written = trx.selectFrom('posts').select('id').where('authorId', '=', userId).limit(1)
  if (await written.executeTakeFirst()) await clearPagesWith(trx, ['posts', 'post-pages'])
}

/** `clearAuthorPages` where the name differs. */
export async function showNewName(trx: Trx, userId: string, before: Profile, after: Profile): Promise<void> {
  if (nameOf(before) !== nameOf(after)) await clearAuthorPages(trx, userId)
}
