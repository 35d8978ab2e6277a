import { fastifyCookie } from '@fastify/cookie'
import { createHash, randomBytes } from 'node:crypto'
import { cookieName, isPlainLoopback } from '#app/platform/session-cookie.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'

/** Identifies the browser of a sign-up, so that asking for the email again renews this sign-up and not one of somebody else. */
export const SIGN_UP_COOKIE = cookieName('sign-up')
const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: 'lax', maxAge: 24 * 3600 } as const

/** For a sign-up that begins in a browser: what is kept of it, and the header that lets the browser show it later. Each sign-up has its own. */
export function beginSignUp(): { signUpBrowser: string; cookie: string } {
  const secret = randomBytes(32).toString('base64url')
  return { signUpBrowser: hashOf(secret), cookie: fastifyCookie.serialize(SIGN_UP_COOKIE, secret, options) }
}

/** The sign-up that this browser began last, as it is kept. */
export function signUpOf({ cookies }: Pick<Visit, 'cookies'>): string | undefined {
  const secret = cookies[SIGN_UP_COOKIE]
  return secret && /^[\w-]{43}$/.test(secret) ? hashOf(secret) : undefined
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
