import type { Trx } from '#app/platform/database/db.server.ts'
import { giveRole } from './last-owner.server.ts'
import { claimOwnership } from './owner.server.ts'
import { isEmailProven } from './proven.server.ts'
import type { User } from './user.server.ts'

/** Runs after an email address is proven: gives the invited role, and the ownership if it is still free. Returns the changed user. */
export async function settleProof(trx: Trx, user: User): Promise<User> {
  if (!isEmailProven(user)) return user
  const welcomed = user.invitedRole ? await takeInvitedRole(trx, user, user.invitedRole) : user
  if (!(await claimOwnership(trx, welcomed))) return welcomed
  return trx.selectFrom('users').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
}

async function takeInvitedRole(trx: Trx, user: User, role: 'staff' | 'owner'): Promise<User> {
  await trx.updateTable('users').set({ invitedRole: null }).where('id', '=', user.id).execute()
  return giveRole(trx, { ...user, invitedRole: null }, role, { id: user.id })
}
