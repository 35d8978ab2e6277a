import { audit } from '#app/identity/audit.server.ts'
import { hasHostedOwner, mayClaim, ownerRule, type OwnerRule } from '#app/identity/owner.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import type { HostedAccount } from './hosted-account.server.ts'

/** What follows once the service says that an address is proven: the role that its invitation named, and the ownership that waited for it. */
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
 * The first confirmed account of an installation owns it; with OWNER_EMAIL only that one. Whoever comes first locks the row of the installation, so two
 * at the same moment cannot both win.
 */
export async function claimHosted(trx: Trx, account: HostedAccount, rule: OwnerRule = ownerRule): Promise<void> {
  const { id, emailConfirmedAt } = account
  if (!emailConfirmedAt) return
  if (!mayClaim(account, rule)) return
  await trx.selectFrom('installation').select('singleton').forUpdate().execute()
  if (await hasHostedOwner(trx)) return
  await trx.updateTable('hostedAccounts').set({ role: 'owner' }).where('id', '=', id).execute()
  await audit(trx, 'owner_claimed', { actorId: id, subjectId: id })
}
