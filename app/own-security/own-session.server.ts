import type { Viewer } from '#app/account/viewer.ts'
import { directory } from '#app/users/directory.server.ts'
import type { OwnSession } from '#app/own-account/account.ts'
import { deviceOf } from '#app/users/device.ts'

/** Where someone is signed in: here first, then by last use. */
export async function listOwnSessions({ id, sessionId }: Viewer): Promise<OwnSession[]> {
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

/** Signs out one device of theirs. Answers `false` when it is not, or no longer, signed in as them. */
export async function endOwnSession({ id }: Viewer, sessionId: string): Promise<boolean> {
  const sessions = await directory.listSessions(id)
  if (!sessions.some((session) => session.id === sessionId)) return false
  await directory.endSessions(id, { id }, sessionId)
  return true
}
