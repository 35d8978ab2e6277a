import { sql } from 'kysely'
import { z } from 'zod'
import { nameOf } from '#app/auth/users/user-name.ts'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { currentAccountRows } from '#app/auth/users/account.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now, queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { lockOrganization } from '#app/organizations/organization/organization.server.ts'
import type { MemberRole } from '#app/organizations/organization/organization.ts'
import type { OrganizationMember } from './member.ts'

const memberRow = {
  id: z.string(),
  email: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  role: z.enum(['reader', 'member', 'buyer', 'admin']),
  since: z.date(),
  used: z.number(),
}

/** The members of an organization by name, at most 1,000. */
export async function listMembers(organizationId: string, selfId: string): Promise<OrganizationMember[]> {
  const rows = await queryRows(
    db,
    memberRow,
    sql`
    SELECT member.user_id AS id, account.email, account.user_metadata AS metadata, member.role, member.created_at AS since,
      coalesce((SELECT sum(quota.used) FROM (SELECT DISTINCT counted_as FROM api_keys
        WHERE organization_id = member.organization_id AND user_id = member.user_id AND NOT is_service) AS key
        JOIN api_quotas AS quota ON quota.key_id = key.counted_as AND month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0)::integer AS used
    FROM organization_members AS member LEFT JOIN ${currentAccountRows} AS account ON account.id = member.user_id
    WHERE member.organization_id = ${organizationId} ORDER BY account.email, member.user_id LIMIT 1000`,
  )
  return rows.map(({ metadata, since, ...row }) => ({
    ...row,
    name: (metadata && nameOf(metadata)) ?? null,
    since: since.toISOString(),
    isSelf: row.id === selfId,
  }))
}

/** Lists whom notifications about an organization reach. */
export async function listAdminIds(trx: Trx, organizationId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('organizationMembers')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .limit(1000)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Adds a member, and settles what they have asked. Runs under the lock of the organization. */
export async function addMember(
  trx: Trx,
  member: { organizationId: string; userId: string; role: MemberRole },
  actor: Actor,
): Promise<void> {
  await trx
    .insertInto('organizationMembers')
    .values(member)
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
    .execute()
  await trx
    .updateTable('organizationJoinRequests')
    .set({ settledAt: now, outcome: 'accepted' })
    .where('organizationId', '=', member.organizationId)
    .where('userId', '=', member.userId)
    .where('settledAt', 'is', null)
    .execute()
  await audit(trx, 'organization_member_added', {
    ...by(actor),
    subjectId: member.organizationId,
    detail: { member: member.userId, role: member.role },
  })
}

/** The leads of this address belong to the company from now on, unless staff have said otherwise. */
export async function joinPerson(trx: Trx, email: string, organizationId: string): Promise<void> {
  await trx.updateTable('people').set({ organizationId }).where('email', '=', email).where('organizationId', 'is', null).execute()
}

/** Changes the role of a member. The last admin stays one. */
export async function changeMember(organizationId: string, userId: string, role: MemberRole, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const before = await findLocked(trx, organizationId, userId)
    if (before.role === role) return
    if (before.role === 'admin') await keepAnAdmin(trx, organizationId, userId)
    await trx
      .updateTable('organizationMembers')
      .set({ role })
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .execute()
    await audit(trx, 'organization_member_changed', { ...by(actor), subjectId: organizationId, detail: { member: userId, role } })
  })
}

/**
 * Removes a member, or lets them leave. Their access, their keys of this organization and an invitation that is still open end in the same transaction;
 * what they did stays under their name, and service keys that they made keep working.
 */
export async function removeMember(organizationId: string, userId: string, actor: Actor): Promise<void> {
  await transaction(async (trx) => {
    const { role } = await findLocked(trx, organizationId, userId)
    if (role === 'admin') await keepAnAdmin(trx, organizationId, userId)
    await trx.deleteFrom('organizationMembers').where('organizationId', '=', organizationId).where('userId', '=', userId).execute()
    await trx
      .updateTable('apiKeys')
      .set({ revokedAt: now, revokedBy: actor.id ?? null })
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .where('isService', '=', false)
      .where('revokedAt', 'is', null)
      .execute()
    await revokeInvitations(trx, organizationId, userId)
    const action = actor.id === userId ? 'organization_left' : 'organization_member_removed'
    await audit(trx, action, { ...by(actor), subjectId: organizationId, detail: { member: userId } })
  })
}

/** Revokes the open invitation of a person who joined another way: they could come back with it. */
async function revokeInvitations(trx: Trx, organizationId: string, userId: string): Promise<void> {
  await trx
    .updateTable('organizationInvitations')
    .set({ settledAt: now, outcome: 'revoked' })
    .where('organizationId', '=', organizationId)
    .where('settledAt', 'is', null)
    .where(
      (of) => of.fn<string>('lower', ['email']),
      'in',
      (of) =>
        of
          .selectFrom('accounts')
          .select((account) => account.fn<string>('lower', ['accounts.email']).as('email'))
          .where('accounts.id', '=', userId),
    )
    .execute()
}

async function findLocked(trx: Trx, organizationId: string, userId: string): Promise<{ role: MemberRole }> {
  const organization = await lockOrganization(trx, organizationId)
  if (!organization || organization.state === 'closed') stop('notFound', 'There is no such organization.')
  if (organization.isPersonal) stop('conflict', 'A personal organization has one member.', { code: 'personal_organization' })
  const found = await trx
    .selectFrom('organizationMembers')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found ?? stop('notFound', 'There is no such member.')
}

/** Runs under the lock of the organization, so of two admins who leave at the same time, one stays. */
export async function keepAnAdmin(trx: Trx, organizationId: string, leavingId: string): Promise<void> {
  const other = await trx
    .selectFrom('organizationMembers')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'admin')
    .where('userId', '!=', leavingId)
    .limit(1)
    .executeTakeFirst()
  if (!other)
    stop('conflict', 'An organization needs an admin. Make someone else an admin first, or close the organization.', { code: 'last_admin' })
}
