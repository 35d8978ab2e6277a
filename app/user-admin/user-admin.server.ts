import type { Viewer } from '#app/account/viewer.ts'
import type { Actor } from '#app/identity/audit.server.ts'
import { stop } from '#app/platform/stop.ts'
import { directory } from '#app/users/directory.server.ts'
import type { ListedUser } from '#app/users/user-directory.ts'

const DAY_MS = 24 * 3_600_000

/** Shuts someone out for so many days, on every device at once. */
export async function shutOut(
  viewer: Viewer,
  id: string,
  { days, reason }: { days: number; reason: string },
  actor: Actor,
): Promise<ListedUser> {
  refuseSelf(viewer, id, 'You cannot shut yourself out.')
  const banned = await directory.banUser(id, new Date(Date.now() + days * DAY_MS), actor, reason)
  await directory.endSessions(id, actor)
  return banned
}

export async function deleteAccount(viewer: Viewer, id: string, actor: Actor): Promise<void> {
  refuseSelf(viewer, id, 'Your own account is deleted on your account page.')
  await directory.deleteUser(id, actor)
}

/** Signs someone out of one device. Answers `false` when it is not signed in as them. */
export async function endSession(id: string, sessionId: string, actor: Actor): Promise<boolean> {
  const sessions = await directory.listSessions(id)
  if (!sessions.some((session) => session.id === sessionId)) return false
  await directory.endSessions(id, actor, sessionId)
  return true
}

function refuseSelf(viewer: Viewer, id: string, sentence: string) {
  if (viewer.id === id) stop('conflict', sentence, { code: 'own_account' })
}
