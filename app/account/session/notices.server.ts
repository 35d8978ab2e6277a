import { findDeletion } from '#app/account/deletion/deletion.server.ts'
import type { Notices } from './notices.ts'
import type { CurrentUser } from './current-user.ts'

export async function findNotices({ id, role, pausedRole, factorDueAt, hasShortPassword, hasFactor }: CurrentUser): Promise<Notices> {
  const dueAt = await findDeletion(id)
  return {
    hasShortPassword,
    lacksFactor: (pausedRole ?? role) !== 'customer' && !hasFactor,
    factorDueAt: factorDueAt ?? null,
    isPaused: pausedRole !== undefined,
    deletionDueAt: dueAt?.toISOString() ?? null,
  }
}
