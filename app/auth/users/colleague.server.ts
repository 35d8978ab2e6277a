import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'

// An account is our own, or one of a hosted service.

/** Whether an account has proven its own email address. */
export async function hasProvenAddress(userId: string): Promise<boolean> {
  const proven = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('emailConfirmedAt', 'is not', null)
    .where('emailAssumed', '=', false)
    .unionAll(
      db
        .selectFrom('hostedAccounts')
        .select('id')
        .where('id', '=', userId)
        .where('emailConfirmedAt', 'is not', null)
        .where('emailAssumed', '=', false),
    )
    .executeTakeFirst()
  return proven !== undefined
}

/** Whether somebody else is staff or an owner, or is invited to be. */
export async function hasColleague(userId: string): Promise<boolean> {
  const isStaff = sql<boolean>`(app_metadata->>'role' IN ('staff', 'owner') OR invited_role IS NOT NULL)`
  const colleague = await db
    .selectFrom('users')
    .select('id')
    .where('id', '!=', userId)
    .where('deletedAt', 'is', null)
    .where(isStaff)
    .unionAll(
      db
        .selectFrom('hostedAccounts')
        .select('id')
        .where('id', '!=', userId)
        .where('deletedAt', 'is', null)
        .where((row) => row.or([row('role', '!=', 'customer'), row('invitedRole', 'is not', null)])),
    )
    .limit(1)
    .executeTakeFirst()
  return colleague !== undefined
}
