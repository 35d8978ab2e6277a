import { isHosted } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { findSession } from '#app/session/session.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import type { Viewer } from './viewer.ts'

/** The account and session of whoever is signed in, where we keep them ourselves. */
export async function findOwnSession({ id, sessionId }: Viewer): Promise<Holder> {
  if (isHosted) stop('notFound', 'A service elsewhere keeps this account.')
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : stop('notSignedIn', 'Please sign in first.')
}
