import { staffRoleOf } from '#app/auth/users/staff-factor.server.ts'
import { roleOf } from '#app/auth/users/role.ts'
import { checkAccessToken } from '#app/auth/sessions/jwt.server.ts'
import { isFresh } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { findLiveSession, isBanned } from '#app/auth/sessions/session.server.ts'
import type { Principal } from '#app/auth/sessions/principal.ts'

/** The holder of a token that our embedded service signed. */
export async function findEmbeddedPrincipal(token: string): Promise<Principal | undefined> {
  const checked = await checkAccessToken(token)
  if (checked.state === 'invalid') return undefined
  const { state, claims, expiresAt } = checked
  const found = await findLiveSession(claims)
  if (!found || isBanned(found.user)) return undefined
  const { user, session, hasFactor } = found
  const role = roleOf(user.appMetadata)
  const hasShortPassword = role !== 'customer' && user.passwordShort
  const { id, email, userMetadata, rights } = user
  return {
    state,
    expiresAt,
    id,
    email: email ?? '',
    ...staffRoleOf({ role, staffSince: user.staffSince, hasFactor }),
    rights,
    userMetadata,
    sessionId: session.id,
    signInProvider: session.amr.find(({ method }) => method === 'oauth')?.provider,
    aal: session.aal,
    hasFactor,
    hasShortPassword,
    isFresh: isFresh(session, hasFactor),
  }
}
