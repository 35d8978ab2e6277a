import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { env, isLoopback } from './env.server.ts'

const site = new URL(env.SITE_URL)

/** A browser keeps `__Host-` cookies only over https. On one's own machine without it, the plain names are the only ones that work. */
export const isPlainLoopback = site.protocol === 'http:' && isLoopback(site.hostname)
const prefix = isPlainLoopback ? '' : '__Host-'

export function cookieName(name: string): string {
  return `${prefix}winnow-${name}`
}

/** Its presence, whatever it holds, says that this visitor was signed in: such a request never gets a page from the cache. */
export const ACCESS_COOKIE = cookieName('access')
export const REFRESH_COOKIE = cookieName('refresh')

/** Longer than any access token: who comes back after a month is known, and signed in again by the refresh token. */
const LIFE_SECONDS = 180 * 24 * 3600

const common = { path: '/', httpOnly: true, secure: !isPlainLoopback }

/** For pages and `/api`; also sent when a link from elsewhere leads here. */
const accessOptions = { ...common, sameSite: 'lax' } as const
/** For `/auth/v1` alone, and only from our own pages. */
const refreshOptions = { ...common, sameSite: 'strict' } as const

export type SessionTokens = { access: string; refresh: string }

/** Lets the browser remember a session. */
export function rememberSession(reply: FastifyReply, { access, refresh }: SessionTokens): void {
  reply
    .setCookie(ACCESS_COOKIE, access, { ...accessOptions, maxAge: LIFE_SECONDS })
    .setCookie(REFRESH_COOKIE, refresh, { ...refreshOptions, maxAge: LIFE_SECONDS })
}

/** Makes the browser forget its session. */
export function forgetSession(reply: FastifyReply): void {
  reply.clearCookie(ACCESS_COOKIE, accessOptions).clearCookie(REFRESH_COOKIE, refreshOptions)
}

/** A header that makes the browser forget an access cookie that opens nothing any more. */
export function forgetAccessHeader(): string {
  return fastifyCookie.serialize(ACCESS_COOKIE, '', { ...accessOptions, maxAge: 0 })
}

/** The same as `rememberSession`, as headers of a page's answer. */
export function sessionHeaders({ access, refresh }: SessionTokens): [name: string, value: string][] {
  return [
    ['set-cookie', fastifyCookie.serialize(ACCESS_COOKIE, access, { ...accessOptions, maxAge: LIFE_SECONDS })],
    ['set-cookie', fastifyCookie.serialize(REFRESH_COOKIE, refresh, { ...refreshOptions, maxAge: LIFE_SECONDS })],
  ]
}
