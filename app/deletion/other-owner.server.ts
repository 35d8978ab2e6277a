import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'

/**
 * Whether the installation still has an owner without this one. Whoever asks takes turns with others who do, so two owners who leave at the
 * same moment cannot both be told that the other one stays. Who has asked to be deleted, or is shut out, does not count.
 */
export async function hasOtherOwner(trx: Trx, userId: string): Promise<boolean> {
  await trx.selectFrom('installation').select('ownerId').forUpdate().execute()
  const other = await trx
    .selectFrom('users')
    .leftJoin('accountDeletions', 'accountDeletions.userId', 'users.id')
    .select('users.id')
    .where('users.id', '!=', userId)
    .where(sql<string>`app_metadata->>'role'`, '=', 'owner')
    .where(sql<Date>`coalesce(email_confirmed_at, phone_confirmed_at)`, 'is not', null)
    .where('users.deletedAt', 'is', null)
    .where('accountDeletions.userId', 'is', null)
    .where((row) => row.or([row('bannedUntil', 'is', null), row('bannedUntil', '<=', new Date())]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}
