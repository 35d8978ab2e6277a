import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import type { AccountRight, Role } from '#app/auth/users/role.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ListedUser } from './user-directory.ts'

type Accounts<Account> = {
  /** Throws if the account does not exist. */
  lock: (trx: Trx, id: string) => Promise<Account>
  roleOf: (account: Account) => Role
  setRights: (trx: Trx, id: string, rights: readonly AccountRight[]) => Promise<Account>
  toListed: (account: Account) => ListedUser
}

/** Gives staff rights beside their role. Every request reads them, so a change takes effect immediately. */
export function rightsOf<Account>({ lock, roleOf, setRights, toListed }: Accounts<Account>) {
  return {
    giveRights(id: string, rights: readonly AccountRight[], actor: Actor): Promise<ListedUser> {
      return transaction(async (trx) => {
        const account = await lock(trx, id)
        if (roleOf(account) !== 'staff') stop('conflict', 'Rights are given to staff. Owners have them all.', { code: 'not_staff' })
        const before = toListed(account).rights
        if (before.length === rights.length && rights.every((right) => before.includes(right))) return toListed(account)
        await audit(trx, 'rights_changed', { ...by(actor), subjectId: id, detail: { from: before, to: rights } })
        return toListed(await setRights(trx, id, rights))
      })
    },
  }
}
