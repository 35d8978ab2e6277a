import { type Role, roleOf } from '#app/auth/users/role.ts'
import { effectiveRole } from '#app/auth/users/staff-factor.server.ts'
import { hasVerifiedFactor } from '#app/auth/sessions/user-factors.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'

export type KeyOwner = { id: string; role: Role }

/**
 * Looked up for every request with a key, so a ban, deletion or new role takes effect immediately. Undefined for an owner who is not
 * allowed in.
 */
export const findKeyOwner: (id: string) => Promise<KeyOwner | undefined> = isHosted ? findHosted : findEmbedded

async function findEmbedded(id: string): Promise<KeyOwner | undefined> {
  const columns = ['id', 'appMetadata', 'bannedUntil', 'deletedAt', 'staffSince'] as const
  const user = await db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst()
  if (!user || !mayComeIn(user)) return undefined
  const role = roleOf(user.appMetadata)
  const hasFactor = role !== 'customer' && (await hasVerifiedFactor(db, id))
  return { id, role: effectiveRole({ role, staffSince: user.staffSince, hasFactor }) }
}

async function findHosted(id: string): Promise<KeyOwner | undefined> {
  const columns = ['id', 'role', 'bannedUntil', 'deletedAt', 'staffSince', 'hasFactor'] as const
  const account = await db.selectFrom('hostedAccounts').select(columns).where('id', '=', id).executeTakeFirst()
  return account && mayComeIn(account) ? { id, role: effectiveRole(account) } : undefined
}

function mayComeIn({ bannedUntil, deletedAt }: { bannedUntil: Date | null; deletedAt: Date | null }): boolean {
  return deletedAt === null && (bannedUntil === null || bannedUntil <= new Date())
}
