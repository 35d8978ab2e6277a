import { sql } from 'kysely'
import type { Trx } from '#app/platform/db.server.ts'
import { type Actor, audit, by } from './audit.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { type Role, roleOf } from './role.ts'
import type { User } from './user.server.ts'

/**
 * To be called before an owner is demoted, banned or deleted: refuses where nobody else would own this installation. Whoever else does one of these
 * things waits until this transaction has ended, so two owners cannot send each other away at the same moment.
 */
export async function keepAnOwner(trx: Trx, userId: string): Promise<void> {
  const { ownerId } = await trx.selectFrom('installation').select('ownerId').forUpdate().executeTakeFirstOrThrow()
  const owners = await trx
    .selectFrom('users')
    .select(['id', 'bannedUntil'])
    .where(sql<string>`app_metadata->>'role'`, '=', 'owner')
    .where(sql<Date>`coalesce(email_confirmed_at, phone_confirmed_at)`, 'is not', null)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .limit(1000)
    .execute()
  if (ownerId !== userId && !owners.some(({ id }) => id === userId)) return
  const heir = owners.find(({ id, bannedUntil }) => id !== userId && (bannedUntil === null || bannedUntil <= new Date()))
  if (!heir) refuse('last_owner')
  if (ownerId === userId) await trx.updateTable('installation').set({ ownerId: heir.id }).execute()
}

/** Gives a role to a user whose row the caller has locked. Answers the user as they are then. */
export async function giveRole(trx: Trx, user: User, role: Role, actor: Actor): Promise<User> {
  const before = roleOf(user.appMetadata)
  if (before === role) return user
  if (before === 'owner') await keepAnOwner(trx, user.id)
  const changed = await trx
    .updateTable('users')
    .set({ appMetadata: JSON.stringify({ ...user.appMetadata, role }), updatedAt: new Date() })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (role === 'owner') await trx.updateTable('installation').set({ ownerId: user.id }).where('ownerId', 'is', null).execute()
  await audit(trx, 'role_changed', { ...by(actor), subjectId: user.id, detail: { from: before, to: role } })
  return changed
}
