import { accounts } from '#app/account/accounts.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'

/** Ends the session of this browser, even if its access token has expired. */
export async function signOutHere(requestContext: RequestContext): Promise<void> {
  const { [ACCESS_COOKIE]: access, [REFRESH_COOKIE]: refresh } = requestContext.cookies
  await accounts.signOut({ access, refresh }, clientOf(requestContext))
}

/**
 * Whether following a link signs out: only when a person opens it as a page, from our own pages or by typing it. An image, a frame or a
 * script with the URL does not count, nor does a prefetch.
 */
export function isMeant({ method, headers }: RequestContext): boolean {
  const site = headers['sec-fetch-site']
  const isNavigation = headers['sec-fetch-dest'] === 'document' && headers['sec-fetch-mode'] === 'navigate'
  const isAhead = /prefetch|prerender/i.test(`${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`)
  return method === 'GET' && isNavigation && (site === 'same-origin' || site === 'none') && isSameOrigin(headers) !== false && !isAhead
}
