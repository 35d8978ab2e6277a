import { findDeletion } from '#app/deletion/deletion.server.ts'
import type { Notices } from './notices.ts'
import type { Viewer } from './viewer.ts'

export async function findNotices({ id, role, pausedRole, factorDueAt, hasShortPassword, hasFactor }: Viewer): Promise<Notices> {
  const dueAt = await findDeletion(id)
  return {
    hasShortPassword,
    lacksFactor: (pausedRole ?? role) !== 'customer' && !hasFactor,
    factorDueAt: factorDueAt ?? null,
    isPaused: pausedRole !== undefined,
    deletionDueAt: dueAt?.toISOString() ?? null,
  }
}
