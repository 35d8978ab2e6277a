import { isLastOwner } from '#app/identity/last-owner.server.ts'
import { lockIfThere } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { deletesElsewhere, forgetAccount, removeElsewhere } from '#app/users/hosted-removal.server.ts'
import { removeUser } from '#app/users/remove-user.server.ts'

/** Who wants to go. `phone` is known here only of accounts that we keep ourselves. */
export type Leaver = { id: string; email: string | null; phone: string | null }

type Leaving = {
  /** Until the transaction ends nobody else changes whether they go. */
  lock: (trx: Trx, id: string) => Promise<Leaver | undefined>
  isLastOwner: (trx: Trx, id: string) => Promise<boolean>
  remove: (trx: Trx, id: string) => Promise<void>
}

const embedded: Leaving = {
  lock: lockIfThere,
  isLastOwner: (trx, id) => isLastOwner(trx, id),
  remove: (trx, id) => removeUser(trx, { id }, {}),
}

const hosted: Leaving = {
  async lock(trx, id) {
    const open = trx.selectFrom('hostedAccounts').select(['id', 'email']).where('id', '=', id).where('deletedAt', 'is', null)
    const account = await open.forUpdate().executeTakeFirst()
    return account && { ...account, phone: null }
  },
  isLastOwner: (trx, id) => isLastOwner(trx, id, 'hosted_accounts'),
  async remove(trx, id) {
    await forgetAccount(trx, id, {})
    await removeElsewhere(trx, id)
  },
}

/** How an account goes, whoever keeps it. */
export const leaving = isHosted ? hosted : embedded

/** Whether the account goes on at a hosted service from which we cannot delete it. */
export const remainsElsewhere = isHosted && !deletesElsewhere
