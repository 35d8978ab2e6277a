import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { stop, Stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { requireRight } from '#app/organizations/organization/membership.server.ts'
import { PERSONAL } from '#app/organizations/organization/organization.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { effectiveRole } from '#app/auth/users/staff-factor.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { apiKeyHash, isWellFormed } from './key-text.server.ts'
import { noteRefusedKey, noteUnknownKey } from './refused-key.server.ts'
import { THIS_MONTH } from './quota.server.ts'

/** A working key with the person or, for a service key, the organization that it acts for, and its used quota. */
export type OpenedKey = { key: Row<'apiKeys'>; owner: DatasetVisitor; used: number }

/** Returns the owner of a key, or throws 401 with the reason. The reason is safe to tell: a stranger cannot guess a key. */
export async function openKey(text: string, address: string): Promise<OpenedKey> {
  if (!isWellFormed(text)) stop('notSignedIn', 'Invalid API key.', { code: 'invalid_key' })
  const known = await findKey(apiKeyHash(text))
  if (!known) {
    noteUnknownKey(address)
    stop('notSignedIn', 'Invalid API key.', { code: 'invalid_key' })
  }
  const { used, ownerId, role, bannedUntil, staffSince, hasFactor, organizationName, isPersonal, organizationState, memberRole, ...key } =
    known
  try {
    if (key.revokedAt) stop('notSignedIn', 'This key has been revoked.', { code: 'key_revoked' })
    if (key.expiresAt && key.expiresAt <= new Date()) stop('notSignedIn', 'This key has expired.', { code: 'key_expired' })
    if (organizationState === 'closed') stop('notSignedIn', 'The organization of this key is closed.', { code: 'key_owner_gone' })
    const organization = { id: key.organizationId, name: isPersonal ? PERSONAL : organizationName, state: organizationState }
    if (key.isService) {
      const service = { ...organization, role: 'member' as const }
      requireRight(service, 'take')
      await noteUse(key)
      return { key, owner: { id: key.organizationId, role: 'customer', isService: true, organization: service }, used: used ?? 0 }
    }
    if (ownerId === null || (bannedUntil !== null && bannedUntil > new Date())) {
      stop('notSignedIn', 'The account of this key is closed.', { code: 'key_owner_gone' })
    }
    if (memberRole === null) stop('notSignedIn', 'The owner of this key has left its organization.', { code: 'key_owner_gone' })
    const member = { ...organization, role: memberRole }
    requireRight(member, 'take')
    const effective = effectiveRole({ role: roleOf({ role }), staffSince, hasFactor: hasFactor === true })
    await noteUse(key)
    return { key, owner: { id: ownerId, role: effective, organization: member }, used: used ?? 0 }
  } catch (error) {
    if (error instanceof Stop) noteRefusedKey({ key, address, reason: error.extra.code ?? error.kind })
    throw error
  }
}

/** Whether the scope of a key includes a dataset. */
export function isInScope({ productIds }: Pick<Row<'apiKeys'>, 'productIds'>, productId: string): boolean {
  return productIds === null || productIds.includes(productId)
}

/** The key with its owner and quota, in one query for every request: a ban, deletion or new role takes effect immediately. */
function findKey(hash: string) {
  const owners = currentAccounts().select(['accounts.id as ownerId', 'role', 'bannedUntil', 'staffSince', 'hasFactor'])
  return db
    .selectFrom('apiKeys')
    .leftJoin(owners.as('owner'), 'owner.ownerId', 'apiKeys.userId')
    .leftJoin('apiQuotas', (on) => on.onRef('apiQuotas.keyId', '=', 'apiKeys.countedAs').on('apiQuotas.month', '=', THIS_MONTH))
    .innerJoin('organizations', 'organizations.id', 'apiKeys.organizationId')
    .leftJoin('organizationMembers as member', (on) =>
      on.onRef('member.organizationId', '=', 'apiKeys.organizationId').onRef('member.userId', '=', 'apiKeys.userId'),
    )
    .selectAll('apiKeys')
    .select([
      'organizations.name as organizationName',
      'isPersonal',
      'organizations.state as organizationState',
      'member.role as memberRole',
    ])
    .select(['owner.ownerId', 'owner.role', 'owner.bannedUntil', 'owner.staffSince', 'owner.hasFactor', 'apiQuotas.used'])
    .where('keyHash', '=', hash)
    .executeTakeFirst()
}

const NOTED_MS = 60_000

/** Writes at most once a minute. Both the row just read and the statement check it, so simultaneous requests write once. */
async function noteUse({ id, lastUsedAt }: Row<'apiKeys'>): Promise<void> {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < NOTED_MS) return
  await sql`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < now() - ${NOTED_MS} * interval '1 millisecond')`.execute(db)
}
