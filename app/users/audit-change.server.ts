import { type Actor, audit, by } from '#app/identity/audit.server.ts'
import { type Role, roleOf } from '#app/identity/role.ts'
import type { Metadata } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'

/** What of an account is noted under a name of its own when someone else changes it. */
type Watched = { bannedUntil?: Date | null | undefined; tokenRole?: string | undefined; appMetadata?: Metadata | undefined }

/** Notes a ban, its end, and another role for tokens. What is not named stays as it was. */
export async function auditChange(trx: Trx, id: string, before: Watched, change: Watched, actor: Actor): Promise<void> {
  const who = { ...by(actor), subjectId: id }
  const { bannedUntil: until, tokenRole } = change
  if (until && isAhead(until)) await audit(trx, 'user_banned', { ...who, detail: { until: until.toISOString() } })
  else if (until !== undefined && isAhead(before.bannedUntil)) await audit(trx, 'user_unbanned', who)
  if (tokenRole && tokenRole !== before.tokenRole) {
    await audit(trx, 'role_changed', { ...who, detail: { of: 'token', from: before.tokenRole, to: tokenRole } })
  }
}

/** Notes what somebody was made with and nobody has by themselves. */
export async function auditFirst(trx: Trx, id: string, first: Watched, actor: Actor): Promise<void> {
  const role: Role = roleOf(first.appMetadata ?? {})
  if (role !== 'customer') await audit(trx, 'role_changed', { ...by(actor), subjectId: id, detail: { from: 'customer', to: role } })
  await auditChange(trx, id, { tokenRole: 'authenticated' }, first, actor)
}

function isAhead(time: Date | null | undefined): boolean {
  return time instanceof Date && time > new Date()
}
