import { standingOf } from '#app/identity/staff-factor.server.ts'
import type { Client } from '#app/session/client.ts'
import type { TokenHolder } from '#app/session/token-holder.ts'
import { findHosted, isOut, meetHosted, whoseOf } from './hosted-account.server.ts'
import { checkProjectToken } from './project-token.server.ts'

/** Who holds a token of the hosted service. What they may do here, and whether they may still come in, is in our own tables. */
export async function findHostedHolder(token: string, client: Client): Promise<TokenHolder | undefined> {
  const checked = await checkProjectToken(token)
  if (checked.state === 'invalid' || checked.claims.is_anonymous) return undefined
  const { state, claims } = checked
  const seen = state === 'valid' ? await meetHosted(claims, client) : await findHosted(whoseOf(claims))
  if (!seen || isOut(seen)) return undefined
  const { id, email, role, userMetadata, hasFactor, staffSince } = seen.account
  return {
    state,
    expiresAt: claims.exp,
    id,
    email: email ?? '',
    ...standingOf({ role, staffSince, hasFactor }),
    userMetadata,
    sessionId: claims.session_id,
    aal: claims.aal,
    hasFactor,
    // Only the hosted service has seen the password.
    hasShortPassword: false,
    // It guards the accounts that it keeps by rules of its own.
    isFresh: true,
  }
}
