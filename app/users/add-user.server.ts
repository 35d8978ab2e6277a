import { transaction } from '#app/platform/db.server.ts'
import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import type { User } from '#app/identity/user.server.ts'
import { makeUser, type WantedUser } from './new-user.server.ts'

/** Makes an account for someone else, without a letter. */
export async function addUser(wanted: WantedUser, actor: Actor): Promise<User> {
  return transaction(async (trx) => {
    const user = await makeUser(trx, wanted)
    await audit(trx, 'user_signedup', { ...by(actor), subjectId: user.id, detail: { by: 'administrator' } })
    return user
  })
}
