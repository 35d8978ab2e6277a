import { audit } from '#app/auth/users/audit.server.ts'
import { greetFirstOwner } from '#app/auth/users/first-owner.server.ts'
import { mayClaim, ownerRule, type OwnerRule } from '#app/auth/users/owner.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { HostedAccount } from './hosted-account.server.ts'

/** Applies a proven address: gives the invited role and claims the ownership. */
export async function settleHosted(trx: Trx, account: HostedAccount): Promise<void> {
  const { id, role, emailConfirmedAt, invitedRole } = account
  if (!emailConfirmedAt) return
  if (invitedRole) {
    await trx.updateTable('hostedAccounts').set({ role: invitedRole, invitedRole: null }).where('id', '=', id).execute()
    await audit(trx, 'role_changed', { actorId: id, subjectId: id, detail: { from: role, to: invitedRole } })
  }
  await claimHosted(trx, account)
}

/**
 * The first confirmed account owns the installation; with OWNER_EMAIL, only that one. Locking the installation's row
 * makes sure that only one of two concurrent claims wins.
 */
export async function claimHosted(trx: Trx, account: HostedAccount, rule: OwnerRule = ownerRule): Promise<void> {
  const { id, emailConfirmedAt } = account
  if (!emailConfirmedAt) return
  if (!mayClaim(account, rule)) return
  await trx.selectFrom('installation').select('singleton').forUpdate().execute()
  if (await hasOwner(trx)) return
  await trx.updateTable('hostedAccounts').set({ role: 'owner' }).where('id', '=', id).execute()
  await audit(trx, 'owner_claimed', { actorId: id, subjectId: id })
  await greetFirstOwner(trx, id)
}

async function hasOwner(trx: Trx): Promise<boolean> {
  const owner = trx.selectFrom('hostedAccounts').select('id').where('role', '=', 'owner').where('deletedAt', 'is', null).limit(1)
  return (await owner.executeTakeFirst()) !== undefined
}
