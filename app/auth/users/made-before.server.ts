import { condition, daysAgo } from '#app/platform/database/sql.server.ts'
import { type Database, db, type Trx } from '#app/platform/database/db.server.ts'
import { liveKeys } from './user-keys.server.ts'

/** Things that an intruder may have made in an account. A new password does not end them, so the user should check them. */
export type MadeBefore = {
  invited: { id: string; email: string }[]
  keys: { id: string; name: string; prefix: string }[]
  webhooks: { id: string; label: string }[]
}

/** The most of each kind. A person makes fewer. */
const MOST = 100

/** How long the account shows what was made before a recovery. */
const SHOWN_DAYS = 30

export async function listMadeBefore(connection: Database | Trx, userId: string, at: Date): Promise<MadeBefore> {
  const invited = await connection
    .selectFrom('auditEvents')
    .innerJoin('users', 'users.id', 'auditEvents.subjectId')
    .where('actorId', '=', userId)
    .where('action', '=', 'user_invited')
    .where('auditEvents.createdAt', '<=', at)
    .where('users.deletedAt', 'is', null)
    .select(['users.id', 'users.email'])
    .distinct()
    .limit(MOST)
    .execute()
  const keys = await liveKeys(connection, userId).where('createdAt', '<=', at).select(['id', 'name', 'prefix']).limit(MOST).execute()
  const webhooks = await connection
    .selectFrom('webhookEndpoints')
    .where('createdBy', '=', userId)
    .where('createdAt', '<=', at)
    .select(['id', 'label'])
    .orderBy('createdAt')
    .limit(MOST)
    .execute()
  return { invited: invited.flatMap(({ id, email }) => (email ? [{ id, email }] : [])), keys, webhooks }
}

/** Things that remain from before the last recovery of an account; none after some weeks. */
export async function findMadeBefore(userId: string): Promise<(MadeBefore & { at: string }) | null> {
  const recovery = await db
    .selectFrom('auditEvents')
    .where('subjectId', '=', userId)
    .where('action', '=', 'user_updated_password')
    .where(condition`detail->>'byEmail' = 'true'`)
    .where('createdAt', '>', daysAgo(SHOWN_DAYS))
    .select('createdAt')
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!recovery) return null
  const made = await listMadeBefore(db, userId, recovery.createdAt)
  const count = made.invited.length + made.keys.length + made.webhooks.length
  return count === 0 ? null : { ...made, at: recovery.createdAt.toISOString() }
}
