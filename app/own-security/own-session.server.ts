import { findOwnSession } from '#app/account/own-holder.server.ts'
import type { Viewer } from '#app/account/viewer.ts'
import { revokeKeys } from '#app/identity/user-keys.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { endSessions } from '#app/session/session.server.ts'
import { directory } from '#app/users/directory.server.ts'
import type { OwnSession } from '#app/own-account/account.ts'
import { deviceOf } from '#app/session/device.ts'

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

/** Signs someone out everywhere. Where a service elsewhere keeps the account, only the keys are ours to revoke. */
export async function endEverySession(viewer: Viewer, revokesKeys: boolean): Promise<void> {
  if (!isHosted) return endSessions(await findOwnSession(viewer), 'global', { revokesKeys })
  if (revokesKeys) await transaction((trx) => revokeKeys(trx, viewer.id, { id: viewer.id }))
}
