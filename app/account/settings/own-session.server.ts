import type { CurrentUser } from '#app/account/session/current-user.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import type { OwnSession } from './account.ts'
import { deviceOf } from '#app/auth/sessions/device.ts'

/** The person's sessions: the current one first, then by last use. */
export async function listOwnSessions({ id, sessionId }: CurrentUser): Promise<OwnSession[]> {
  const sessions = await directory.listSessions(id)
  return sessions
    .map((session) => ({
      id: session.id,
      device: deviceOf(session.userAgent),
      address: session.address,
      lastUsedAt: session.lastSeenAt,
      createdAt: session.createdAt,
      isCurrent: session.id === sessionId,
    }))
    .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

/** Signs out one of the person's devices. Returns `false` when it is not signed in as them. */
export async function endOwnSession({ id }: CurrentUser, sessionId: string): Promise<boolean> {
  const sessions = await directory.listSessions(id)
  if (!sessions.some((session) => session.id === sessionId)) return false
  await directory.endSessions(id, { id }, sessionId)
  return true
}
