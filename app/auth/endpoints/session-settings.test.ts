import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SESSIONS_TIMEBOX = '24h'
  process.env.SESSIONS_INACTIVITY_TIMEOUT = '1h'
  process.env.SESSIONS_SINGLE_PER_USER = 'true'
  process.env.SESSIONS_ALLOW_LOW_AAL = '15m'
  process.env.SECURITY_REFRESH_TOKEN_ROTATION_ENABLED = 'false'
  process.env.SECURITY_REFRESH_TOKEN_REUSE_INTERVAL = '0'
})

import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(forgetLimits)

const signIn = async (email: string) =>
  sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
const refresh = (refresh_token: string) => call('POST', '/token?grant_type=refresh_token', { refresh_token })

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  return { email, session: await signIn(email) }
}

/** Sets the start or last use of the user's sessions to this many minutes ago. */
const age = (userId: string, { began = 0, used = 0 }: { began?: number; used?: number }) =>
  sql`UPDATE sessions SET created_at = now() - ${began} * interval '1 minute', refreshed_at = now() - ${used} * interval '1 minute'
      WHERE user_id = ${userId}`.execute(db)

const EXPIRED = { code: 'session_expired', message: expect.stringMatching(/^Invalid Refresh Token: /) }

describe('happy', () => {
  test('within its limits a session goes on', async () => {
    const { session } = await signedIn()
    await age(session.user.id, { began: 23 * 60, used: 59 })
    expect((await refresh(session.refresh_token)).statusCode).toBe(200)
  })

  test('a session without the second step goes on while its user has none', async () => {
    const { session } = await signedIn()
    await age(session.user.id, { began: 16 })
    expect((await refresh(session.refresh_token)).statusCode).toBe(200)
  })
})

describe('error', () => {
  test.each([
    ['a day after it began', { began: 24 * 60 + 1 }],
    ['an hour after it was last used', { used: 61 }],
  ])('%s it cannot be renewed', async (_when, times) => {
    const { session } = await signedIn()
    await age(session.user.id, times)
    const reply = await refresh(session.refresh_token)
    expect([reply.statusCode, reply.json()]).toEqual([400, EXPIRED])
  })

  test('a newer sign-in ends the one before', async () => {
    const { email, session } = await signedIn()
    const newer = await signIn(email)
    expect((await refresh(session.refresh_token)).json()).toEqual(EXPIRED)
    expect((await refresh(newer.refresh_token)).statusCode).toBe(200)
  })

  test('a session that lacks the second step of its user ends after a quarter of an hour, one that has it does not', async () => {
    const { session } = await signedIn()
    const { id } = session.user
    const factor = { id, userId: id, factorType: 'totp', status: 'verified', secretSealed: Buffer.from('x') } as const
    await db.insertInto('mfaFactors').values(factor).execute()
    await age(id, { began: 14 })
    const renewed = sessionAnswer.parse((await refresh(session.refresh_token)).json())
    await age(id, { began: 16 })
    expect((await refresh(renewed.refresh_token)).json()).toEqual(EXPIRED)
    await db.updateTable('sessions').set({ aal: 'aal2' }).where('userId', '=', id).execute()
    expect((await refresh(renewed.refresh_token)).statusCode).toBe(200)
  })

  test('where rotation is off, a token that comes too late is refused, and the session stays', async () => {
    const { session } = await signedIn()
    const second = sessionAnswer.parse((await refresh(session.refresh_token)).json())
    const third = sessionAnswer.parse((await refresh(second.refresh_token)).json())
    const reply = await refresh(session.refresh_token)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'refresh_token_already_used'])
    expect((await refresh(third.refresh_token)).statusCode).toBe(200)
  })
})
