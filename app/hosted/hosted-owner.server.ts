import { audit } from '#app/identity/audit.server.ts'
import { hasHostedOwner, mayClaim, ownerRule, type OwnerRule } from '#app/identity/owner.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import type { HostedAccount } from './hosted-account.server.ts'

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
