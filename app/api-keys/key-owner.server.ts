import { type Role, roleOf } from '#app/identity/role.ts'
import { effectiveRole } from '#app/identity/staff-factor.server.ts'
import { hasVerifiedFactor } from '#app/session/user-factors.server.ts'
import { db } from '#app/platform/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'

/** Whose key it is, as they are now. */
export type KeyOwner = { id: string; role: Role }

/** Looked up for every request that a key opens, so that a ban, a deletion or a new role counts at once. Nobody where they may not come in. */
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
