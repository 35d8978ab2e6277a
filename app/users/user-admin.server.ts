import type { CurrentUser } from '#app/account/session/current-user.ts'
import type { Actor } from '#app/auth/users/audit.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import type { ListedUser } from '#app/auth/directory/user-directory.ts'

const DAY_MS = 24 * 3_600_000

/** Suspends a person for a number of days, on all devices immediately. */
export async function banUser(
  currentUser: CurrentUser,
  id: string,
  { days, reason }: { days: number; reason: string },
  actor: Actor,
): Promise<ListedUser> {
  refuseSelf(currentUser, id, 'You cannot suspend yourself.')
  const banned = await directory.banUser(id, new Date(Date.now() + days * DAY_MS), actor, reason)
  await directory.endSessions(id, actor)
  return banned
}

export async function deleteAccount(currentUser: CurrentUser, id: string, actor: Actor): Promise<void> {
  refuseSelf(currentUser, id, 'Delete your own account on your account page.')
  await directory.deleteUser(id, actor)
}

/** Signs a person out of one device. Returns `false` when the device is not signed in as them. */
export async function endUserSession(id: string, sessionId: string, actor: Actor): Promise<boolean> {
  const sessions = await directory.listSessions(id)
  if (!sessions.some((session) => session.id === sessionId)) return false
  await directory.endSessions(id, actor, sessionId)
  return true
}

function refuseSelf(currentUser: CurrentUser, id: string, sentence: string) {
  if (currentUser.id === id) stop('conflict', sentence, { code: 'own_account' })
}
