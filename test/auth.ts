import { expect } from 'vitest'
import { db, newId } from '#app/platform/db.server.ts'
import type { Http } from '#app/platform/http.server.ts'
import { closeLimits } from '#app/platform/limits.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { secretsOf } from './letters.ts'

export const PASSWORD = 'correct horse'
export const VERSION = { 'x-supabase-api-version': '2024-01-01' }

export function someEmail(): string {
  return `user-${newId()}@example.com`
}

/** Talks to the auth service as its clients do. */
export function authClient(app: Http) {
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/auth/v1${path}`, headers: { ...VERSION, ...headers }, ...(body && { payload: body }) })
}

export function bearer({ access_token: token }: { access_token: string }) {
  return { authorization: `Bearer ${token}` }
}

/** Signs up, confirms by the mailed link, and answers the session that this gives. */
export async function signUpAndConfirm(app: Http, email = someEmail(), password = PASSWORD) {
  const call = authClient(app)
  const signedUp = await call('POST', '/signup', { email, password, data: { first_name: 'Ada', last_name: 'Lovelace' } })
  expect(signedUp.statusCode).toBe(200)
  const { link } = await secretsOf(email, 'confirm-address')
  const verified = await call('POST', '/verify', { type: 'signup', token_hash: link })
  expect(verified.statusCode).toBe(200)
  return { email, password, session: sessionAnswer.parse(verified.json()) }
}

/** As if all had waited long enough. */
export async function forgetLimits() {
  await closeLimits()
  await db.deleteFrom('rateLimits').execute()
}

/** How many answers there are of each status. */
export function tally(replies: readonly { statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of replies) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
