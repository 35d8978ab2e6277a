import { env } from '#app/platform/env.server.ts'
import { isFlowLink } from './flow-link.ts'

/** The link types of the auth protocol's emails, and our page for each. */
const pages = {
  signup: '/login/confirm',
  email: '/login/confirm',
  recovery: '/login/new-password',
  invite: '/login/new-password',
  magiclink: '/login/link',
  email_change: '/login/new-address',
} as const

export type LinkType = keyof typeof pages

/**
 * The URL of a page with a button, so mail scanners that open every link use up no token. A request with a `target` or a flow came from
 * another program, which finishes elsewhere: its link leads through the auth service. `page` overrides the page of the type.
 */
export function mailLink(type: LinkType, token: string, target?: string, page = type): string {
  if (target !== undefined || isFlowLink(token)) return serviceLink(type, token, target)
  return `${env.SITE_URL}${pages[page]}?${new URLSearchParams({ token_hash: token, type })}`
}

/** The URL of the auth service itself, which checks `target` again. */
export function serviceLink(type: LinkType, token: string, target?: string): string {
  return `${env.API_EXTERNAL_URL}/verify?${new URLSearchParams({ token, type, ...(target !== undefined && { redirect_to: target }) })}`
}
