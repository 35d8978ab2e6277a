import { db } from '#app/platform/database/db.server.ts'
import { condition, rowCount } from '#app/platform/database/sql.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import type { Row } from '#db/tables.ts'
import { containing } from './directory-page.server.ts'

export type UserPageQuery = { page: number; perPage: number; filter: string | undefined; oldestFirst: boolean }
export type FoundUsers = { users: User[]; total: number; identities: Row<'identities'>[]; factors: Row<'mfaFactors'>[] }

/** Users by page number, as the auth protocol needs. Includes soft-deleted users. */
export async function findUserPage({ page, perPage, filter, oldestFirst }: UserPageQuery): Promise<FoundUsers> {
  const part = filter && containing(filter)
  const isMeant = part ? condition`(email::text ILIKE ${part} OR user_metadata->>'full_name' ILIKE ${part})` : condition`true`
  const order = oldestFirst ? 'asc' : 'desc'
  const [{ total }, users] = await Promise.all([
    db.selectFrom('users').select(rowCount.as('total')).where(isMeant).executeTakeFirstOrThrow(),
    db
      .selectFrom('users')
      .selectAll()
      .where(isMeant)
      .orderBy('createdAt', order)
      .orderBy('id', order)
      .limit(perPage)
      .offset((page - 1) * perPage)
      .execute(),
  ])
  const ids = users.map(({ id }) => id)
  if (ids.length === 0) return { users, total, identities: [], factors: [] }
  const [identities, factors] = await Promise.all([
    db.selectFrom('identities').selectAll().where('userId', 'in', ids).orderBy('createdAt').execute(),
    db.selectFrom('mfaFactors').selectAll().where('userId', 'in', ids).orderBy('createdAt').execute(),
  ])
  return { users, total, identities, factors }
}

/** Includes soft-deleted users. */
export function findAnyUser(id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}
