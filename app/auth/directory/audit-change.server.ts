import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { type Role, roleOf } from '#app/auth/users/role.ts'
import type { Metadata } from '#app/auth/users/user.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'

/** Fields with an audit event of their own when someone else changes them. */
type Watched = { bannedUntil?: Date | null | undefined; tokenRole?: string | undefined; appMetadata?: Metadata | undefined }

/** Audits a ban, its end, and a new token role. Missing fields are unchanged. */
export async function auditChange(trx: Trx, id: string, before: Watched, change: Watched, actor: Actor): Promise<void> {
  const who = { ...by(actor), subjectId: id }
  const { bannedUntil: until, tokenRole } = change
  if (until && isAhead(until)) await audit(trx, 'user_banned', { ...who, detail: { until: until.toISOString() } })
  else if (until !== undefined && isAhead(before.bannedUntil)) await audit(trx, 'user_unbanned', who)
  if (tokenRole && tokenRole !== before.tokenRole) {
    await audit(trx, 'role_changed', { ...who, detail: { of: 'token', from: before.tokenRole, to: tokenRole } })
  }
}

/** Audits that a role which was given now replaces the one of an open invitation. */
export async function auditInvitedRole(
  trx: Trx,
  { id, invitedRole }: { id: string; invitedRole: Role | null },
  role: Role,
  actor: Actor,
): Promise<void> {
  if (invitedRole && invitedRole !== role)
    await audit(trx, 'role_changed', { ...by(actor), subjectId: id, detail: { of: 'invitation', from: invitedRole, to: role } })
}

/** Audits the role and ban that an account was created with. */
export async function auditFirst(trx: Trx, id: string, first: Watched, actor: Actor): Promise<void> {
  const role: Role = roleOf(first.appMetadata ?? {})
  if (role !== 'customer') await audit(trx, 'role_changed', { ...by(actor), subjectId: id, detail: { from: 'customer', to: role } })
  await auditChange(trx, id, { tokenRole: 'authenticated' }, first, actor)
}

function isAhead(time: Date | null | undefined): boolean {
  return time instanceof Date && time > new Date()
}
