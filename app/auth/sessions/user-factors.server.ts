import type { SelectQueryBuilder } from 'kysely'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import type { Row, Tables } from '#db/tables.ts'
import type { User } from '#app/auth/users/user.server.ts'

export type Factor = Row<'mfaFactors'>
/** A signed-in user with their session. */
export type SessionUser = { user: User; session: Row<'sessions'> }

/** Includes unverified factors. */
export function listFactors(connection: Database | Trx, userId: string): Promise<Factor[]> {
  return connection
    .selectFrom('mfaFactors')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Whether sensitive actions of this user need an `aal2` session. */
export async function hasVerifiedFactor(connection: Database | Trx, userId: string): Promise<boolean> {
  return (await verifiedFactor(connection.selectFrom('mfaFactors'), userId).executeTakeFirst()) !== undefined
}

/** For a query of its own, or inside another one. */
export function verifiedFactor(factors: SelectQueryBuilder<Tables, 'mfaFactors', object>, userId: string) {
  return factors.select('mfaFactors.id').where('mfaFactors.userId', '=', userId).where('status', '=', 'verified').limit(1)
}
