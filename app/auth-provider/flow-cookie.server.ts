import { fastifyCookie } from '@fastify/cookie'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { cookieName, isPlainLoopback } from '#app/platform/session-cookie.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import type { Origin } from '#app/provider/sign-in.server.ts'

/** Says that the browser that comes back from a provider is the one that went there: else anyone could be sent back into an account of someone else. */
export const FLOW_COOKIE = cookieName('flow')

/** Some providers answer by a form from their own page. Only http on one's own machine has to do without those. */
const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: isPlainLoopback ? 'lax' : 'none' } as const

/** Where a flow begins: what only this browser can show later, as a hash, and the header that gives it to the browser. Several flows of one browser share it. */
export function beginInBrowser({ cookies, headers }: Pick<Visit, 'cookies' | 'headers'>): { origin: Origin; cookie: string } {
  const known = cookies[FLOW_COOKIE]
  const mark = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  return {
    origin: { browserHash: hashOf(mark).toString('base64url'), isBrowser: isBrowser(headers) },
    cookie: fastifyCookie.serialize(FLOW_COOKIE, mark, { ...options, maxAge: env.EXTERNAL_FLOW_STATE_EXPIRY_DURATION }),
  }
}

/** Whether this is the browser in which a flow began. */
export function isSameBrowser({ cookies }: Pick<Visit, 'cookies'>, browserHash: string): boolean {
  // Of equal length whatever was sent.
  return timingSafeEqual(hashOf(hashOf(cookies[FLOW_COOKIE] ?? '').toString('base64url')), hashOf(browserHash))
}

/** Whether it is a browser, of those that are kept up to date (Fetch Metadata, in all of them since 2023), that comes back: someone may have sent it here. */
export function comesByBrowser({ headers }: Pick<Visit, 'headers'>): boolean {
  return headers['sec-fetch-site'] !== undefined
}

/** A browser that goes to our address itself, or whose page of ours asks: it keeps the cookie, and is there when the answer comes. Programs say nothing of the kind. */
function isBrowser(headers: Visit['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' || headers['sec-fetch-site'] === 'same-origin'
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
