import { z } from 'zod'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { env } from '#app/platform/env.server.ts'
import { isImageAddress } from '#app/platform/text/image-address.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { bearerTokenOf, type RequestContext } from '#app/platform/http/request-context.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import type { Principal } from '#app/auth/sessions/principal.ts'
import type { AuthState, CurrentUser } from './current-user.ts'

const known = new WeakMap<RequestContext, Promise<AuthState>>()

/** The sender of the request, found once per request. The session is looked up, so a sign-out takes effect immediately. */
export function findAuthState(requestContext: RequestContext): Promise<AuthState> {
  const authState = known.get(requestContext) ?? checkPresence(requestContext)
  known.set(requestContext, authState)
  return authState
}

/** The signed-in person behind a request, if there is one. */
export async function findCurrentUser(requestContext: RequestContext): Promise<CurrentUser | undefined> {
  const authState = await findAuthState(requestContext)
  return authState.state === 'signedIn' ? authState.currentUser : undefined
}

async function checkPresence(requestContext: RequestContext): Promise<AuthState> {
  // A bearer token is sent on purpose: if there is one, the cookie is ignored.
  const bearer = bearerTokenOf(requestContext)
  const token = bearer ?? requestContext.cookies[ACCESS_COOKIE]
  if (!token) return { state: 'anonymous' }
  const holder = await accounts.findPrincipal(token, clientOf(requestContext))
  if (!holder) return { state: 'anonymous' }
  if (holder.state === 'expired') return { state: bearer ? 'anonymous' : 'expired' }
  if (!bearer) refuseForeignWrite(requestContext)
  const currentUser = toCurrentUser(holder)
  return { state: currentUser.hasFactor && currentUser.aal === 'aal1' ? 'needsMfa' : 'signedIn', currentUser, expiresAt: holder.expiresAt }
}

/** A browser adds cookies to requests that a foreign page triggers, so a write with cookies must prove that it comes from our site. */
function refuseForeignWrite({ method, headers }: RequestContext) {
  if (method === 'GET' || method === 'HEAD' || isSameOrigin(headers)) return
  stop('forbidden', 'This request didn’t come from this site.', { code: 'foreign_origin' })
}

/** User metadata: shown, never trusted. */
const profile = z.object({
  first_name: z.string().overwrite(oneLine).min(1).optional().catch(undefined),
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .transform(shownAddress)
    .optional()
    .catch(undefined),
})

/** A picture is on an external HTTPS site or in our own storage: viewing a person requests no other URL of this site. */
function shownAddress(url: string): string | undefined {
  const { protocol, origin, pathname } = new URL(url)
  if (origin === env.SITE_URL) return pathname.startsWith('/avatars/') ? pathname : undefined
  return protocol === 'https:' && isImageAddress(url, env.SITE_URL) ? url : undefined
}

function toCurrentUser({ userMetadata, state: _state, expiresAt: _end, ...person }: Principal): CurrentUser {
  const { first_name: firstName, avatar_url: avatarUrl } = profile.parse(userMetadata)
  return { ...person, firstName, avatarUrl }
}
