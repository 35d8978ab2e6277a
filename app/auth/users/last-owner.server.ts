import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { type Actor, audit, by } from './audit.server.ts'
import { greetFirstOwner } from './first-owner.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { isProven } from './proven.server.ts'
import { type Role, roleOf } from './role.ts'
import type { User } from './user.server.ts'

/**
 * Call before an owner is demoted, banned or deleted: it refuses to remove the last owner. It locks the installation until the transaction
 * ends, so two owners cannot remove each other at the same moment.
 */
export async function keepAnOwner(trx: Trx, id: string): Promise<void> {
  const { isOwner, heir } = await succession(trx, id)
  if (!isOwner) return
  if (!heir) refuse('last_owner')
  await trx.updateTable('installation').set({ ownerId: heir }).where('ownerId', '=', id).execute()
}

/** Whether this account is the only owner. Takes the same lock until the transaction ends. */
export async function isLastOwner(trx: Trx, id: string): Promise<boolean> {
  const { isOwner, heir } = await succession(trx, id)
  return isOwner && !heir
}

/** Whether this account is an owner, and its heir: the oldest other owner of its kind who is not banned and has not requested deletion. */
async function succession(trx: Trx, id: string): Promise<{ isOwner: boolean; heir: string | undefined }> {
  const { ownerId } = await trx.selectFrom('installation').select('ownerId').forUpdate().executeTakeFirstOrThrow()
  const owners = await queryRows(
    trx,
    { id: z.string(), stays: z.boolean() },
    sql`
    SELECT id, (banned_until IS NULL OR banned_until <= now()) AND NOT EXISTS (SELECT FROM account_deletions WHERE user_id = account.id) AS stays
    FROM accounts AS account WHERE role = 'owner' AND is_confirmed AND deleted_at IS NULL
      AND is_hosted = (SELECT is_hosted FROM accounts WHERE id = ${id}) ORDER BY created_at LIMIT 1000`,
  )
  const heir = owners.find((owner) => owner.id !== id && owner.stays)
  return { isOwner: ownerId === id || owners.some((owner) => owner.id === id), heir: heir?.id }
}

/** Gives a role to a user whose row the caller has locked. An account without a proven address stays a customer. Returns the changed user. */
export async function giveRole(trx: Trx, user: User, role: Role, actor: Actor): Promise<User> {
  const before = roleOf(user.appMetadata)
  if (before === role) return user
  if (role !== 'customer' && !isProven(user)) refuse('address_not_proven')
  if (before === 'owner') await keepAnOwner(trx, user.id)
  const changed = await trx
    .updateTable('users')
    .set({
      appMetadata: JSON.stringify({ ...user.appMetadata, role }),
      // Rights of an earlier staff role are not restored.
      ...(role === 'customer' && { rights: '[]' }),
      updatedAt: new Date(),
    })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(trx, 'role_changed', { ...by(actor), subjectId: user.id, detail: { from: before, to: role } })
  if (role === 'owner') await nameFirstOwner(trx, user.id)
  return changed
}

async function nameFirstOwner(trx: Trx, id: string): Promise<void> {
  const { numUpdatedRows } = await trx.updateTable('installation').set({ ownerId: id }).where('ownerId', 'is', null).executeTakeFirst()
  if (numUpdatedRows > 0n) await greetFirstOwner(trx, id)
}
