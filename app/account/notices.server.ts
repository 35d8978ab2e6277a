import { findDeletion } from '#app/deletion/deletion.server.ts'
import type { Notices } from './notices.ts'
import type { Viewer } from './viewer.ts'

export async function findNotices({ id, role, hasShortPassword, hasFactor }: Viewer): Promise<Notices> {
  const dueAt = await findDeletion(id)
  return { hasShortPassword, lacksFactor: role !== 'customer' && !hasFactor, deletionDueAt: dueAt?.toISOString() ?? null }
}
