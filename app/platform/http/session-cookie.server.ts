import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { env, isLoopback } from '#app/platform/env.server.ts'

const site = new URL(env.SITE_URL)

/** Browsers accept `__Host-` cookies only over https. On a local installation without it, only the plain names work. */
export const isPlainLoopback = site.protocol === 'http:' && isLoopback(site.hostname)
const prefix = isPlainLoopback ? '' : '__Host-'

export function cookieName(name: string): string {
  return `${prefix}winnow-${name}`
}

/** A request with this cookie, whatever its value, comes from a visitor who was signed in: it never gets a page from the cache. */
export const ACCESS_COOKIE = cookieName('access')
export const REFRESH_COOKIE = cookieName('refresh')
/** The last sign-up of a browser. The next person to sign in may be another one, so a session ends it. */
export const SIGN_UP_COOKIE = cookieName('sign-up')

/** Longer than any access token: after a month, the refresh token still signs the visitor in again. */
const LIFE_SECONDS = 180 * 24 * 3600

const common = { path: '/', httpOnly: true, secure: !isPlainLoopback }

/** For pages and `/api`; also sent with links from other sites. */
const accessOptions = { ...common, sameSite: 'lax' } as const
/** For `/auth/v1` only, and only from our own pages. */
const refreshOptions = { ...common, sameSite: 'strict' } as const
const signUpOptions = accessOptions

export type SessionTokens = { access: string; refresh: string }

/** Sets the cookies of a session. */
export function rememberSession(reply: FastifyReply, { access, refresh }: SessionTokens): void {
  reply
    .setCookie(ACCESS_COOKIE, access, { ...accessOptions, maxAge: LIFE_SECONDS })
    .setCookie(REFRESH_COOKIE, refresh, { ...refreshOptions, maxAge: LIFE_SECONDS })
  if (reply.request.cookies[SIGN_UP_COOKIE] !== undefined) reply.clearCookie(SIGN_UP_COOKIE, signUpOptions)
}

/** Clears the cookies of a session. */
export function forgetSession(reply: FastifyReply): void {
  reply.clearCookie(ACCESS_COOKIE, accessOptions).clearCookie(REFRESH_COOKIE, refreshOptions)
}

/** A header that clears an access cookie that is no longer valid. */
export function forgetAccessHeader(): string {
  return fastifyCookie.serialize(ACCESS_COOKIE, '', { ...accessOptions, maxAge: 0 })
}

/** `rememberSession` as headers of a page's response. */
export function sessionHeaders({ access, refresh }: SessionTokens): [name: string, value: string][] {
  return [
    ['set-cookie', fastifyCookie.serialize(ACCESS_COOKIE, access, { ...accessOptions, maxAge: LIFE_SECONDS })],
    ['set-cookie', fastifyCookie.serialize(REFRESH_COOKIE, refresh, { ...refreshOptions, maxAge: LIFE_SECONDS })],
    ['set-cookie', fastifyCookie.serialize(SIGN_UP_COOKIE, '', { ...signUpOptions, maxAge: 0 })],
  ]
}
