import { isHosted } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/stop.ts'
import { findSession } from '#app/auth/sessions/session.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import type { CurrentUser } from './current-user.ts'

/** The signed-in person's account and session, from our own database. */
export async function findOwnSession({ id, sessionId }: CurrentUser): Promise<SessionUser> {
  if (isHosted) stop('notFound', 'A hosted auth service manages this account.')
  const { user, session } = await findSession({ userId: id, sessionId })
  return user && session ? { user, session } : stop('notSignedIn', 'Please sign in first.')
}
