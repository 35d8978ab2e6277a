import { type LinkType, mailLink } from '#app/auth/tokens/mail-link.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { SessionTokens } from '#app/platform/http/session-cookie.server.ts'
import type { SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { withSession } from './redirect-response.server.ts'

/** Only the site's own origin can set the site's cookies. */
const setsCookies = new URL(env.API_EXTERNAL_URL).origin === env.SITE_URL

/** Tokens never travel to our own pages in a URL, where scripts, histories and extensions read them. */
export function isOwnTarget(target: string): boolean {
  return new URL(target).origin === env.SITE_URL
}

/** Whether a session for this target would have to travel in a URL of our site. */
export function needsOwnPage(target: string): boolean {
  return isOwnTarget(target) && !setsCookies
}

/** Sets the cookies of a session. */
export type Remember = (tokens: SessionTokens) => void

/** The URL after a sign-in. Our pages get cookies; other programs get the session in the fragment (`#`). */
export function goOnWith(remember: Remember, target: string, session: SessionAnswer, type?: string): string {
  if (!isOwnTarget(target)) return withSession(target, session, type)
  remember({ access: session.access_token, refresh: session.refresh_token })
  return target
}

/** Our page that asks for a password before the link of a sign-up works. */
export function passwordPageFor(token: string): string {
  return `${env.SITE_URL}/login/new-password?${new URLSearchParams({ token_hash: token, type: 'signup' })}`
}

/** Our page for an email link, which sets cookies and redirects to the target. */
export function ownPageFor(type: LinkType, token: string, target: string): string {
  const page = new URL(mailLink(type, token, undefined, type === 'email_change' ? type : 'magiclink'))
  const { pathname, search } = new URL(target)
  if (pathname + search !== '/') page.searchParams.set('next', pathname + search)
  return page.href
}
