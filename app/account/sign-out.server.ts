import { clientOf } from '#app/auth/bearer.server.ts'
import { signOutHosted } from '#app/hosted/hosted-sign-in.server.ts'
import { db } from '#app/platform/db.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { isSameOrigin } from '#app/platform/origin.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/session-cookie.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { checkAccessToken } from '#app/session/access-token.server.ts'
import { findRefreshToken } from '#app/session/refresh-token.server.ts'
import { endSession } from '#app/session/session.server.ts'

/** Ends the session of this browser, also when its access token has run out. */
export async function signOutHere(visit: Visit): Promise<void> {
  if (isHosted) {
    const { [ACCESS_COOKIE]: access, [REFRESH_COOKIE]: refresh } = visit.cookies
    return signOutHosted({ access, refresh }, clientOf(visit))
  }
  const sessionId = await findSessionId(visit)
  if (sessionId) await endSession(sessionId)
}

/**
 * Whether following a link signs out: only when a person opens it as a page, from our own pages or by typing it. A picture, a frame or a script
 * that names the address does not count, nor does a browser that fetches it in advance.
 */
export function isMeant({ method, headers }: Visit): boolean {
  const site = headers['sec-fetch-site']
  const isNavigation = headers['sec-fetch-dest'] === 'document' && headers['sec-fetch-mode'] === 'navigate'
  const isAhead = /prefetch|prerender/i.test(`${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`)
  return method === 'GET' && isNavigation && (site === 'same-origin' || site === 'none') && isSameOrigin(headers) !== false && !isAhead
}

async function findSessionId({ cookies }: Visit): Promise<string | undefined> {
  const checked = await checkAccessToken(cookies[ACCESS_COOKIE] ?? '')
  if (checked.state !== 'invalid') return checked.claims.sessionId
  const refreshToken = cookies[REFRESH_COOKIE]
  return refreshToken ? (await findRefreshToken(db, refreshToken))?.sessionId : undefined
}
