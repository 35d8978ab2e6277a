import { type LinkType, mailLink } from '#app/one-time-token/mail-link.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { SessionTokens } from '#app/platform/session-cookie.server.ts'
import type { SessionAnswer } from '#app/session/auth-user.ts'
import { withSession } from './redirect-answer.server.ts'

/** Whether the auth service is served by the site's own origin. Only there can it set the site's cookies. */
const setsCookies = new URL(env.API_EXTERNAL_URL).origin === env.SITE_URL

/** Whether someone goes on to our own pages: tokens never travel there in an address, where scripts, histories and extensions read them. */
export function isOwnTarget(target: string): boolean {
  return new URL(target).origin === env.SITE_URL
}

/** Whether a session for this target would have to travel in an address of ours. */
export function needsOwnPage(target: string): boolean {
  return isOwnTarget(target) && !setsCookies
}

/** Sets the cookies of a session. */
export type Remember = (tokens: SessionTokens) => void

/** Where someone goes on who is signed in now: to our own pages with cookies, to those of another program with the session behind the `#`. */
export function goOnWith(remember: Remember, target: string, session: SessionAnswer, type?: string): string {
  if (!isOwnTarget(target)) return withSession(target, session, type)
  remember({ access: session.access_token, refresh: session.refresh_token })
  return target
}

/** Our own page for the link of an email, which signs in by cookies and goes on to the target. */
export function ownPageFor(type: LinkType, token: string, target: string): string {
  const page = new URL(mailLink(type, token, undefined, type === 'email_change' ? type : 'magiclink'))
  const { pathname, search } = new URL(target)
  if (pathname + search !== '/') page.searchParams.set('next', pathname + search)
  return page.href
}
