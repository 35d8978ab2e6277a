import { staffRoleOf } from '#app/auth/users/staff-factor.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { Principal } from '#app/auth/sessions/principal.ts'
import { findHosted, isOut, meetHosted, whoseOf } from './hosted-account.server.ts'
import { checkProjectToken, providerIn } from './project-token.server.ts'

/** The user of a hosted-service token. Our own tables hold their role, bans and ended sessions. */
export async function findHostedPrincipal(token: string, client: Client): Promise<Principal | undefined> {
  const checked = await checkProjectToken(token)
  if (checked.state === 'invalid' || checked.claims.is_anonymous) return undefined
  const { state, claims } = checked
  const seen = state === 'valid' ? await meetHosted(claims, client) : await findHosted(whoseOf(claims))
  if (!seen || isOut(seen)) return undefined
  const { id, email, role, userMetadata, hasFactor, staffSince, rights } = seen.account
  return {
    state,
    expiresAt: claims.exp,
    id,
    email: email ?? '',
    ...staffRoleOf({ role, staffSince, hasFactor }),
    rights,
    userMetadata,
    sessionId: claims.session_id,
    signInProvider: providerIn(claims),
    aal: claims.aal,
    hasFactor,
    // Only the hosted service has seen the password.
    hasShortPassword: false,
    // The service applies its own rules for recent sign-ins.
    isFresh: true,
  }
}
