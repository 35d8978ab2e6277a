import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { keepAnOwner } from '#app/auth/users/last-owner.server.ts'
import type { Role } from '#app/auth/users/role.ts'
import { transaction, type Trx } from '#app/platform/database/db.server.ts'
import type { ListedUser } from './user-directory.ts'

type Accounts<Account> = {
  /** Throws if the account does not exist. */
  lock: (trx: Trx, id: string) => Promise<Account>
  roleOf: (account: Account) => Role
  setBan: (trx: Trx, id: string, until: Date | null) => Promise<Account>
  toListed: (account: Account) => ListedUser
}

/** Bans and unbans accounts. Every request checks the ban, so it takes effect immediately. */
export function bansOf<Account>({ lock, roleOf, setBan, toListed }: Accounts<Account>) {
  return {
    banUser(id: string, until: Date, actor: Actor, reason?: string): Promise<ListedUser> {
      return transaction(async (trx) => {
        if (roleOf(await lock(trx, id)) === 'owner') await keepAnOwner(trx, id)
        const detail = { until: until.toISOString(), ...(reason && { reason }) }
        await audit(trx, 'user_banned', { ...by(actor), subjectId: id, detail })
        return toListed(await setBan(trx, id, until))
      })
    },
    unbanUser(id: string, actor: Actor): Promise<ListedUser> {
      return transaction(async (trx) => {
        if (toListed(await lock(trx, id)).bannedUntil) await audit(trx, 'user_unbanned', { ...by(actor), subjectId: id })
        return toListed(await setBan(trx, id, null))
      })
    },
  }
}
