import type { User } from '#app/identity/user.server.ts'
import { FRONT_HEADER } from '#app/auth-protocol/front-header.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { noteRefusal } from '#app/identity/refused.server.ts'
import { Stop } from '#app/platform/stop.ts'
import { ACCESS_COOKIE } from '#app/platform/session-cookie.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { checkAccessToken } from '#app/session/access-token.server.ts'
import type { Client } from '#app/session/client.ts'
import { findSession, isBanned, noSession, type Session } from '#app/session/session.server.ts'

/** Refusals of what an account may not do, by their codes. */
const denials = new Set(['insufficient_aal', 'not_admin', 'user_banned'])

const holders = new WeakMap<Visit, string>()

/** Lets the holder of an access token do what is theirs to do, or refuses in the words of the auth protocol. Cookies do not count here. */
export async function allowBearer(visit: Visit): Promise<{ user: User; session: Session }> {
  const token = bearerTokenOf(visit)
  if (!token) refuse('no_authorization')
  const checked = await checkAccessToken(token)
  if (checked.state === 'invalid' && checked.isSubjectForeign) {
    refuse('bad_jwt', { kind: 'badRequest', sentence: 'invalid claim: sub claim must be a UUID' })
  }
  if (checked.state === 'invalid') refuse('bad_jwt')
  if (checked.state === 'expired') refuse('bad_jwt', { sentence: 'invalid JWT: unable to parse or verify signature, token is expired' })
  const { user, session } = await findSession(checked.claims)
  if (!user) refuse('user_not_found')
  rememberHolder(visit, user.id)
  if (!session && checked.claims.sessionId) refuse('session_not_found')
  if (isBanned(user)) refuse('user_banned', { kind: 'forbidden' })
  return { user, session: session ?? noSession(user.id) }
}

/** Keeps which user a genuine token names, for the log of what they were refused. */
export function rememberHolder(visit: Visit, userId: string): void {
  holders.set(visit, userId)
}

/** Records a request with a genuine token that was refused for lack of rights. Requests without one name no account. */
export function noteDenied(visit: Visit, error: unknown): void {
  const holder = holders.get(visit)
  const reason = error instanceof Stop ? error.extra.code : undefined
  if (!holder || !reason || !denials.has(reason)) return
  noteRefusal({
    action: 'access_refused',
    account: holder,
    actorId: holder,
    address: visit.address,
    detail: { path: visit.path.split('?')[0]?.slice(0, 200), reason },
  })
}

export function bearerTokenOf({ headers }: Visit): string | undefined {
  return /^bearer +(\S+)$/i.exec(headers.authorization?.toString().trim() ?? '')?.[1]
}

/** The token that opens our API and pages: one that is given, else that of the browser's session. */
export function accessTokenOf(visit: Visit): string {
  return bearerTokenOf(visit) ?? visit.cookies[ACCESS_COOKIE] ?? ''
}

export function clientOf({ address, headers, isPage }: Visit): Client {
  return { address, userAgent: headers['user-agent']?.toString(), ownPages: isPage || headers[FRONT_HEADER] !== undefined }
}
