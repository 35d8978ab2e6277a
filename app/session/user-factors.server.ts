import type { Database, Trx } from '#app/platform/db.server.ts'
import type { Row } from '#db/tables.ts'
import type { User } from '#app/identity/user.server.ts'

export type Factor = Row<'mfaFactors'>
/** Whoever is signed in, with the session that says how. */
export type Holder = { user: User; session: Row<'sessions'> }

/** The second factors of a user, finished or not. */
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

/** Whether a password alone is not enough for this user: what matters then needs a session of `aal2`. */
export async function hasVerifiedFactor(connection: Database | Trx, userId: string): Promise<boolean> {
  const factor = await connection
    .selectFrom('mfaFactors')
    .select('id')
    .where('userId', '=', userId)
    .where('status', '=', 'verified')
    .limit(1)
    .executeTakeFirst()
  return factor !== undefined
}
