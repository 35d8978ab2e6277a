import { expect, onTestFinished, vi } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { secretsOf } from './emails.ts'

export const PASSWORD = 'correct horse'
export const VERSION = { 'x-supabase-api-version': '2024-01-01' }

export function someEmail(): string {
  return `user-${newId()}@example.com`
}

/** Calls the auth service like its clients. */
export function authClient(app: Http) {
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/auth/v1${path}`, headers: { ...VERSION, ...headers }, ...(body && { payload: body }) })
}

export function bearer({ access_token: token }: { access_token: string }) {
  return { authorization: `Bearer ${token}` }
}

/** Signs up as a page of ours does, confirms by the emailed link in the same browser, and returns the session. */
export async function signUpAndConfirm(app: Http, email = someEmail(), password = PASSWORD) {
  const call = authClient(app)
  const body = { email, password, data: { first_name: 'Ada', last_name: 'Lovelace' } }
  const signedUp = await call('POST', '/signup', body, { 'sec-fetch-site': 'same-origin' })
  expect(signedUp.statusCode).toBe(200)
  const { link } = await secretsOf(email, 'confirm-address')
  const cookie = signedUp.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const verified = await call('POST', '/verify', { type: 'signup', token_hash: link }, { cookie })
  expect(verified.statusCode).toBe(200)
  return { email, password, session: sessionAnswer.parse(verified.json()) }
}

/** Resets all limits. */
export async function forgetLimits() {
  await closeLimits()
  await db.deleteFrom('rateLimits').execute()
}

/** Until the test ends: the pause after too many guesses begins with one second, which a busy machine takes for the next guess. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** The number of responses of each status. */
export function tally(replies: readonly { statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { statusCode } of replies) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}
