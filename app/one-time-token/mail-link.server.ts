import { env } from '#app/platform/env.server.ts'
import { isFlowLink } from './flow-link.ts'

/** The types of links in letters, as the auth protocol names them, and the page of ours that each one opens. */
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
 * The address of a page that shows a button: programs that open every link of a letter use nothing up. Whoever asked for the letter with an address
 * to go on to, or with a flow, is a program that finishes elsewhere what its user began: its letters lead through the auth service. `page` is
 * named where the page of ours is not the usual one.
 */
export function mailLink(type: LinkType, token: string, target?: string, page = type): string {
  if (target !== undefined || isFlowLink(token)) return serviceLink(type, token, target)
  return `${env.SITE_URL}${pages[page]}?${new URLSearchParams({ token_hash: token, type })}`
}

/** The address at the auth service itself; it looks again whether `target` is allowed. */
export function serviceLink(type: LinkType, token: string, target?: string): string {
  return `${env.API_EXTERNAL_URL}/verify?${new URLSearchParams({ token, type, ...(target !== undefined && { redirect_to: target }) })}`
}
