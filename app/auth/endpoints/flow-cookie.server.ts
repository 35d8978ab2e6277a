import { fastifyCookie } from '@fastify/cookie'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { cookieName, isPlainLoopback } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import type { Origin } from '#app/auth/providers/sign-in.server.ts'

/** Ties the provider's callback to the browser that started the flow. Otherwise an attacker could sign a victim in to the wrong account. */
export const FLOW_COOKIE = cookieName('flow')

/** Some providers respond with a cross-site form POST, which needs SameSite=None. Plain http on localhost does without it. */
const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: isPlainLoopback ? 'lax' : 'none' } as const

/** Starts a flow: returns the hash of the browser's secret, and its cookie. All flows of one browser share it. */
export function beginInBrowser({ cookies, headers }: Pick<RequestContext, 'cookies' | 'headers'>): { origin: Origin; cookie: string } {
  const known = cookies[FLOW_COOKIE]
  const mark = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  return {
    origin: { browserHash: hashOf(mark).toString('base64url'), isBrowser: isBrowser(headers) },
    cookie: fastifyCookie.serialize(FLOW_COOKIE, mark, { ...options, maxAge: env.EXTERNAL_FLOW_STATE_EXPIRY_DURATION }),
  }
}

export function isSameBrowser({ cookies }: Pick<RequestContext, 'cookies'>, browserHash: string): boolean {
  // Hashing gives both sides the same length.
  return timingSafeEqual(hashOf(hashOf(cookies[FLOW_COOKIE] ?? '').toString('base64url')), hashOf(browserHash))
}

/** Whether the caller is a current browser (all send Fetch Metadata since 2023), which an attacker could have redirected here. */
export function comesByBrowser({ headers }: Pick<RequestContext, 'headers'>): boolean {
  return headers['sec-fetch-site'] !== undefined
}

/** Browsers on a navigation or a same-origin request keep the cookie. Programs do not send these headers. */
function isBrowser(headers: RequestContext['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === 'same-origin'
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
