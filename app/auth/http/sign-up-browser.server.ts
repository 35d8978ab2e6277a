import { fastifyCookie } from '@fastify/cookie'
import { createHash, randomBytes } from 'node:crypto'
import { cookieName, isPlainLoopback } from '#app/platform/http/session-cookie.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'

/** Identifies the browser of a sign-up, so that resending the email renews only this browser's sign-up. */
export const SIGN_UP_COOKIE = cookieName('sign-up')
const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: 'lax', maxAge: 24 * 3600 } as const

/** Starts a browser sign-up. Returns the hash to store and the cookie to set. Each sign-up has its own. */
export function beginSignUp(): { signUpBrowser: string; cookie: string } {
  const secret = randomBytes(32).toString('base64url')
  return { signUpBrowser: hashOf(secret), cookie: fastifyCookie.serialize(SIGN_UP_COOKIE, secret, options) }
}

/** The stored hash of this browser's last sign-up. */
export function signUpOf({ cookies }: Pick<RequestContext, 'cookies'>): string | undefined {
  const secret = cookies[SIGN_UP_COOKIE]
  return secret && /^[\w-]{43}$/.test(secret) ? hashOf(secret) : undefined
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
