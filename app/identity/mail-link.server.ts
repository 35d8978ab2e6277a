import { env } from '#app/platform/env.server.ts'

/** The types of links in letters, as the auth protocol names them, and the page of ours that each one opens. */
const pages = {
  signup: '/login/confirm',
  email: '/login/confirm',
  recovery: '/login/new-password',
  invite: '/login/new-password',
} as const

export type LinkType = keyof typeof pages

/** The address of a page that shows a button: programs that open every link of a letter use nothing up. */
export function mailLink(type: LinkType, token: string, target?: string): string {
  return `${env.SITE_URL}${mailPath(type, token, target)}`
}

/** `target` is where one may go on to afterwards; the page looks again whether that is allowed. */
export function mailPath(type: LinkType, token: string, target?: string): string {
  return `${pages[type]}?${new URLSearchParams({ token_hash: token, type, ...(target && { redirect_to: target }) })}`
}
