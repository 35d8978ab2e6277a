import { standingOf } from '#app/identity/staff-factor.server.ts'
import { roleOf } from '#app/identity/role.ts'
import { db } from '#app/platform/db.server.ts'
import { checkAccessToken } from '#app/session/access-token.server.ts'
import { isFresh } from '#app/session/fresh-sign-in.server.ts'
import { findSession, isBanned } from '#app/session/session.server.ts'
import type { TokenHolder } from '#app/session/token-holder.ts'
import { hasVerifiedFactor } from '#app/session/user-factors.server.ts'

/** Who holds a token that we have signed ourselves. */
export async function findEmbeddedHolder(token: string): Promise<TokenHolder | undefined> {
  const checked = await checkAccessToken(token)
  if (checked.state === 'invalid') return undefined
  const { state, claims, expiresAt } = checked
  const [{ user, session }, hasFactor] = await Promise.all([findSession(claims), hasVerifiedFactor(db, claims.userId)])
  if (!user || !session || isBanned(user)) return undefined
  const role = roleOf(user.appMetadata)
  const hasShortPassword = role !== 'customer' && user.passwordShort
  const { id, email, userMetadata } = user
  return {
    state,
    expiresAt,
    id,
    email: email ?? '',
    ...standingOf({ role, staffSince: user.staffSince, hasFactor }),
    userMetadata,
    sessionId: session.id,
    aal: session.aal,
    hasFactor,
    hasShortPassword,
    isFresh: isFresh(session, hasFactor),
  }
}
