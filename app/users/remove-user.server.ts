import type { Trx } from '#app/platform/db.server.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { keepAnOwner } from '#app/identity/last-owner.server.ts'
import type { User } from '#app/identity/user.server.ts'

/** Deletes an account with all that hangs on it. What they sent us as an enquirer is another matter. The last owner cannot go. */
export async function removeUser(trx: Trx, { id }: Pick<User, 'id'>, actor: Actor): Promise<void> {
  await keepAnOwner(trx, id)
  await trx.deleteFrom('avatars').where('userId', '=', id).execute()
  await trx.deleteFrom('accountDeletions').where('userId', '=', id).execute()
  await trx.deleteFrom('users').where('id', '=', id).execute()
  await audit(trx, 'user_deleted', { ...by(actor), subjectId: id })
}
