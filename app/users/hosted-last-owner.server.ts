import type { Trx } from '#app/platform/db.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'

/** The same rule as for accounts that we keep ourselves: somebody always owns this installation, whatever two owners do at the same moment. */
export async function keepHostedOwner(trx: Trx, accountId: string): Promise<void> {
  await trx.selectFrom('installation').select('singleton').forUpdate().execute()
  const owners = await trx
    .selectFrom('hostedAccounts')
    .select(['id', 'bannedUntil', 'emailConfirmedAt'])
    .where('role', '=', 'owner')
    .where('deletedAt', 'is', null)
    .limit(1000)
    .execute()
  if (!owners.some(({ id }) => id === accountId)) return
  const stays = ({ id, bannedUntil, emailConfirmedAt }: (typeof owners)[number]) =>
    id !== accountId && emailConfirmedAt !== null && (bannedUntil === null || bannedUntil <= new Date())
  if (!owners.some(stays)) refuse('last_owner')
}
