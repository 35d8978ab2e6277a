import { fastifyCookie } from '@fastify/cookie'
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { clientOf } from './bearer.server.ts'
import { isPlainLoopback, SIGN_UP_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { seal, unseal } from '#app/platform/guard/keys.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'

const LIFE_SECONDS = 24 * 3600
/** In characters: browsers refuse larger cookies, and proxies larger headers. */
const LONGEST_NEXT = 1000
const PURPOSE = 'sign-up-cookie'
const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: 'lax', maxAge: LIFE_SECONDS } as const

/** `secret`: only in the browser of the sign-up. Its hash is stored with the token of the email. */
const kept = z.object({ email: z.string(), at: z.number(), secret: z.string().optional(), next: z.string().optional() })

/**
 * The last sign-up of a browser. `signUp`: the stored hash of its secret; without one, the address was only confirmed here. `next`: the page that
 * it was on its way to.
 */
export type SignUpHere = { email: string; at: Date; signUp: string | undefined; next: string | undefined }

/** Starts a browser sign-up. Returns the hash to store and the cookie to set. Each sign-up has its own. */
export function beginSignUp(email: string): { signUpBrowser: string; cookie: string } {
  const secret = randomBytes(32).toString('base64url')
  return { signUpBrowser: hashOf(secret), cookie: cookieOf({ email, at: Date.now(), secret }) }
}

/** Remembers an address for the sign-in form of a browser that confirmed it, and nothing that would sign in. */
export function addressHeader(email: string): [name: string, value: string] {
  return ['set-cookie', cookieOf({ email, at: Date.now() })]
}

/** Remembers the page that a sign-up was on its way to, for the link of its email. Nothing without a sign-up. */
export function nextHeaders({ cookies }: Pick<RequestContext, 'cookies'>, next: string | undefined): [name: string, value: string][] {
  const read = readCookie(cookies)
  const short = next && next.length <= LONGEST_NEXT ? next : undefined
  return read && read.next !== short ? [['set-cookie', cookieOf({ ...read, next: short })]] : []
}

/** Nothing without a cookie, and for one that is altered or too old. */
export function findSignUpHere({ cookies }: Pick<RequestContext, 'cookies'>): SignUpHere | undefined {
  const read = readCookie(cookies)
  return read && { email: read.email, at: new Date(read.at), signUp: read.secret && hashOf(read.secret), next: read.next }
}

function readCookie(cookies: RequestContext['cookies']): z.infer<typeof kept> | undefined {
  const read = kept.safeParse(opened(cookies[SIGN_UP_COOKIE] ?? ''))
  return read.success && read.data.at >= Date.now() - LIFE_SECONDS * 1000 ? read.data : undefined
}

/** The client of a request, with the key of the sign-up that this browser began. */
export function clientHere(requestContext: RequestContext): Client {
  return { ...clientOf(requestContext), signUpBrowser: findSignUpHere(requestContext)?.signUp }
}

function cookieOf(value: z.infer<typeof kept>): string {
  return fastifyCookie.serialize(SIGN_UP_COOKIE, seal(PURPOSE, '', JSON.stringify(value)).toString('base64url'), options)
}

function opened(sealed: string): unknown {
  try {
    return JSON.parse(unseal(PURPOSE, '', Buffer.from(sealed, 'base64url')).toString())
  } catch {
    return undefined
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
