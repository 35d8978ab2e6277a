import { expressionBuilder } from 'kysely'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import type { Tables } from '#db/tables.ts'

/** Whose keys: a person's own, in whichever organization, or the service keys of one organization. `userId` is the one who acts. */
export type KeyHolder = { userId: string; organizationId: string; isService: boolean }

/** The keys of a person, made for this organization. Without one, the person is alone. */
export function ownKeys(userId: string, organizationId = userId): KeyHolder {
  return { userId, organizationId, isService: false }
}

/** Service keys outlive the people who make them. */
export function serviceKeys(organizationId: string, userId: string): KeyHolder {
  return { userId, organizationId, isService: true }
}

export function heldBy({ userId, organizationId, isService }: KeyHolder) {
  const keys = expressionBuilder<Tables, 'apiKeys'>()
  const whose = isService ? keys('apiKeys.organizationId', '=', organizationId) : keys('apiKeys.userId', '=', userId)
  return keys.and([whose, keys('apiKeys.isService', '=', isService)])
}

/** Lists the people to notify about a key: its owner or, for a service key, the admins of its organization. */
export async function listKeyOwners(
  connection: Database | Trx,
  { userId, organizationId, isService }: KeyHolder,
): Promise<{ id: string; email: string | null }[]> {
  const accounts = currentAccounts(connection).select(['accounts.id', 'accounts.email'])
  if (!isService) return accounts.where('accounts.id', '=', userId).execute()
  return accounts
    .innerJoin('organizationMembers as member', 'member.userId', 'accounts.id')
    .where('member.organizationId', '=', organizationId)
    .where('member.role', '=', 'admin')
    .limit(1000)
    .execute()
}
