import { isLastOwner } from '#app/auth/users/last-owner.server.ts'
import { lockIfThere } from '#app/auth/users/user.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { deletesElsewhere, forgetAccount, removeElsewhere } from '#app/auth/directory/hosted-removal.server.ts'
import { removeUser } from '#app/auth/directory/remove-user.server.ts'

/** The account to delete. `phone` is known only for accounts in our own database. */
export type DeletedAccount = { id: string; email: string | null; phone: string | null }

type Leaving = {
  /** Locks the account's deletion until the transaction ends. */
  lock: (trx: Trx, id: string) => Promise<DeletedAccount | undefined>
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

/** The deletion of an account, embedded or hosted. */
export const leavingAccounts = isHosted ? hosted : embedded

/** Whether the account remains at a hosted service from which we cannot delete it. */
export const remainsElsewhere = isHosted && !deletesElsewhere
