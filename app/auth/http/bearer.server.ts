import type { User } from '#app/auth/users/user.server.ts'
import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { noteRefusal } from '#app/auth/users/refused.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { bearerTokenOf, type RequestContext } from '#app/platform/http/request-context.server.ts'
import { checkAccessToken } from '#app/auth/sessions/jwt.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { findSession, isBanned, noSession, type Session } from '#app/auth/sessions/session.server.ts'

/** Codes of refusals that are recorded in the audit log. */
const denials = new Set(['insufficient_aal', 'not_admin', 'user_banned'])

const holders = new WeakMap<RequestContext, string>()

/** Returns the user and session of the bearer token, or refuses in the words of the auth protocol. Cookies do not count here. */
export async function allowBearer(requestContext: RequestContext): Promise<{ user: User; session: Session }> {
  const checked = await checkAccessToken(requireBearer(requestContext))
  if (checked.state === 'invalid' && checked.isSubjectForeign) {
    refuse('bad_jwt', { kind: 'badRequest', sentence: 'invalid claim: sub claim must be a UUID' })
  }
  if (checked.state !== 'valid') refuseToken(checked.state)
  const { user, session } = await findSession(checked.claims)
  if (!user) refuse('user_not_found')
  rememberPrincipal(requestContext, user.id)
  if (!session && checked.claims.sessionId) refuse('session_not_found')
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  return { user, session: session ?? noSession(user.id) }
}

export function requireBearer(requestContext: RequestContext): string {
  return bearerTokenOf(requestContext) ?? refuse('no_authorization')
}

export function refuseToken(state: 'invalid' | 'expired'): never {
  if (state === 'invalid') refuse('bad_jwt')
  refuse('bad_jwt', { sentence: 'invalid JWT: unable to parse or verify signature, token is expired' })
}

/** Remembers which user a valid token names, to log what they are refused. */
export function rememberPrincipal(requestContext: RequestContext, userId: string): void {
  holders.set(requestContext, userId)
}

/** Records a request with a genuine token that was refused for lack of rights. Requests without one name no account. */
export function noteDenied(requestContext: RequestContext, error: unknown): void {
  const holder = holders.get(requestContext)
  const reason = error instanceof Stop ? error.extra.code : undefined
  if (!holder || !reason || !denials.has(reason)) return
  noteRefusal({
    action: 'access_refused',
    account: holder,
    actorId: holder,
    address: requestContext.address,
    detail: { path: requestContext.path.split('?')[0]?.slice(0, 200), reason },
  })
}

/** The bearer token, or else the browser session's token. */
export function accessTokenOf(requestContext: RequestContext): string {
  return bearerTokenOf(requestContext) ?? requestContext.cookies[ACCESS_COOKIE] ?? ''
}

export function clientOf({ address, headers, isPage }: RequestContext): Client {
  return { address, userAgent: headers['user-agent']?.toString(), ownPages: isPage || headers[OWN_PAGES_HEADER] !== undefined }
}
