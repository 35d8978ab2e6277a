import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.URI_ALLOW_LIST = 'https://app.example'
})

import { sql } from 'kysely'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { secretsSoon } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const TARGET = 'https://app.example/welcome?step=2'
const at = (path: string) => `${path}?redirect_to=${encodeURIComponent(TARGET)}`

function newKey(method: 's256' | 'plain' = 's256') {
  const verifier = randomBytes(56).toString('hex')
  const challenge = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return { verifier, proof: { code_challenge: challenge, code_challenge_method: method } }
}

/** Submits the form of a link's page. */
async function press(token: string, type: string, target: string | undefined = TARGET) {
  const payload = new URLSearchParams({ token, type, ...(target && { redirect_to: target }) }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:3000' }
  const reply = await app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload })
  expect(reply.statusCode).toBe(303)
  return new URL(String(reply.headers.location))
}

const exchange = (auth_code: string, code_verifier: string) => call('POST', '/token?grant_type=pkce', { auth_code, code_verifier })

function methodsOf(token: string): string[] {
  const [, payload = ''] = token.split('.')
  const { amr }: { amr: { method: string }[] } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return amr.map(({ method }) => method)
}

async function begun(method: 's256' | 'plain' = 's256') {
  const email = someEmail()
  const key = newKey(method)
  expect((await call('POST', at('/signup'), { email, password: PASSWORD, ...key.proof })).statusCode).toBe(200)
  const { link, code } = await secretsSoon(email, 'confirm-address')
  return { email, link, code, ...key }
}

describe('happy', () => {
  test.each(['s256', 'plain'] as const)(
    'who began with a key (%s) finishes with it, and the session says how it came about',
    async (method) => {
      const { email, link, verifier } = await begun(method)
      expect(link).toMatch(/^pkce_/)
      const next = await press(link, 'signup')
      expect([next.origin, next.pathname, next.searchParams.get('step'), next.hash]).toEqual(['https://app.example', '/welcome', '2', ''])
      const session = sessionAnswer.parse((await exchange(next.searchParams.get('code') ?? '', verifier)).json())
      expect([session.user.email, methodsOf(session.access_token)]).toEqual([email, ['email/signup']])
      expect(await db.selectFrom('flowStates').select('id').where('userId', '=', session.user.id).execute()).toEqual([])
    },
  )

  test('recovery, a magic link and a new address end in a code as well, under their own names', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const ways = [
      { path: '/recover', type: 'recovery', email: 'reset-password', method: 'recovery', to: email },
      { path: '/otp', type: 'magiclink', email: 'sign-in', method: 'magiclink', to: email },
    ]
    for (const { path, type, email: sent, method, to } of ways) {
      await forgetLimits()
      const { verifier, proof } = newKey()
      expect((await call('POST', at(path), { email, ...proof })).statusCode).toBe(200)
      const next = await press((await secretsSoon(to, sent)).link, type)
      const opened = sessionAnswer.parse((await exchange(next.searchParams.get('code') ?? '', verifier)).json())
      expect(methodsOf(opened.access_token)).toEqual([method])
    }

    await forgetLimits()
    const { verifier, proof } = newKey()
    const fresh = someEmail()
    expect((await call('PUT', at('/user'), { email: fresh, ...proof }, bearer(session))).statusCode).toBe(200)
    const half = await press((await secretsSoon(fresh, 'email-change-new')).link, 'email_change')
    expect([half.searchParams.get('message'), new URLSearchParams(half.hash.slice(1)).get('message')]).toEqual([
      expect.stringContaining('other email'),
      expect.stringContaining('other email'),
    ])
    const done = await press((await secretsSoon(email, 'email-change-current')).link, 'email_change')
    const changed = sessionAnswer.parse((await exchange(done.searchParams.get('code') ?? '', verifier)).json())
    expect([changed.user.email, methodsOf(changed.access_token)]).toEqual([fresh, ['email_change']])
  })

  test('the resent email uses the PKCE challenge of the last request', async () => {
    const { email } = await begun()
    await forgetLimits()
    const { verifier, proof } = newKey()
    await call('POST', at('/resend'), { type: 'signup', email, ...proof })
    const next = await press((await secretsSoon(email, 'confirm-address', 2)).link, 'signup')
    expect((await exchange(next.searchParams.get('code') ?? '', verifier)).statusCode).toBe(200)
  })

  test('a typed code or a link’s token returns the session itself', async () => {
    const { email, code } = await begun()
    expect((await call('POST', '/verify', { type: 'email', email, token: code })).statusCode).toBe(200)
    const other = await begun()
    expect((await call('POST', '/verify', { type: 'signup', token_hash: other.link })).statusCode).toBe(200)
  })

  test('a code’s lifetime starts when it is issued, not when its email was sent', async () => {
    const { link, verifier } = await begun()
    await sql`UPDATE flow_states SET created_at = now() - interval '50 minutes'`.execute(db)
    await db
      .updateTable('oneTimeTokens')
      .set({ issuedAt: new Date(Date.now() - 3_000_000) })
      .execute()
    const next = await press(link, 'signup')
    expect((await exchange(next.searchParams.get('code') ?? '', verifier)).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('a key needs both parts, a method that there is, and a challenge of the right kind, wherever it is sent', async () => {
    const { session } = await signUpAndConfirm(app)
    const challenge = 'x'.repeat(43)
    const bad = [
      { code_challenge: challenge },
      { code_challenge_method: 's256' },
      { code_challenge: challenge, code_challenge_method: 'md5' },
      { code_challenge: 'x'.repeat(42), code_challenge_method: 's256' },
      { code_challenge: 'x'.repeat(129), code_challenge_method: 's256' },
      { code_challenge: `${challenge}!`, code_challenge_method: 's256' },
    ]
    for (const proof of bad) {
      await forgetLimits()
      for (const [method, path, body] of [
        ['POST', '/signup', { password: PASSWORD }],
        ['POST', '/otp', {}],
        ['POST', '/magiclink', {}],
        ['POST', '/recover', {}],
        ['POST', '/resend', { type: 'signup' }],
        ['PUT', '/user', {}],
      ] as const) {
        const reply = await call(method, path, { email: someEmail(), ...body, ...proof }, bearer(session))
        expect([path, proof, reply.statusCode, reply.json().code]).toEqual([path, proof, 400, 'validation_failed'])
      }
    }
  })

  test('nothing at all is no key, and neither is null', async () => {
    const reply = await call('POST', '/otp', { email: someEmail(), code_challenge: null, code_challenge_method: null })
    expect(reply.statusCode).toBe(200)
  })

  test('an unknown code, one without a verifier, and an expired one are refused', async () => {
    const none = await exchange('', 'x')
    expect([none.statusCode, none.json().code]).toEqual([400, 'validation_failed'])
    const unknown = await exchange('018f7d3c-0000-7000-8000-000000000000', 'x')
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'flow_state_not_found'])
    const { link, verifier } = await begun()
    const code = (await press(link, 'signup')).searchParams.get('code') ?? ''
    await db
      .updateTable('flowStates')
      .set({ codeIssuedAt: new Date(Date.now() - 301_000) })
      .where('codeIssuedAt', 'is not', null)
      .execute()
    const late = await exchange(code, verifier)
    expect([late.statusCode, late.json().code]).toEqual([422, 'flow_state_expired'])
  })

  test('a link without its flow reports that to its target, in the query as well', async () => {
    const { link } = await begun()
    await db.deleteFrom('flowStates').execute()
    const next = await press(link, 'signup')
    expect(next.searchParams.get('error_code')).toBe('flow_state_not_found')
    expect(new URLSearchParams(next.hash.slice(1)).get('error_code')).toBe('flow_state_not_found')
  })
})

describe('security', () => {
  test('a wrong verifier is refused and ends nothing; the right one works once', async () => {
    const { link, verifier } = await begun()
    const code = (await press(link, 'signup')).searchParams.get('code') ?? ''
    const wrong = await exchange(code, newKey().verifier)
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'bad_code_verifier'])
    const replies = await Promise.all(Array.from({ length: 6 }, () => exchange(code, verifier)))
    expect(tally(replies)).toEqual({ 200: 1, 404: 5 })
  })

  test('only hashes of codes are stored', async () => {
    const { link } = await begun()
    const code = (await press(link, 'signup')).searchParams.get('code') ?? ''
    const rows = await db.selectFrom('flowStates').selectAll().execute()
    expect(rows.some(({ codeHash }) => codeHash !== null)).toBe(true)
    expect(rows.map(({ codeHash }) => Buffer.from(codeHash ?? []).toString())).not.toContain(code)
    expect(JSON.stringify(rows.map(({ id }) => id))).not.toContain(code)
  })

  /** An unused PKCE code, as after a provider's callback. */
  async function waitingCode(userId: string) {
    const code = randomUUID()
    const { verifier, proof } = newKey()
    await insert(db, 'flowStates', {
      userId,
      method: 'oauth',
      codeChallenge: proof.code_challenge,
      codeChallengeMethod: 's256',
      codeHash: createHash('sha256').update(code).digest(),
      codeIssuedAt: new Date(),
    })
    return async () => [(await exchange(code, verifier)).statusCode, await sessionsOf(userId)]
  }
  const sessionsOf = async (userId: string) => (await db.selectFrom('sessions').select('id').where('userId', '=', userId).execute()).length

  const endings: Record<string, { left: number; end: (session: SessionAnswer) => Promise<{ statusCode: number }> }> = {
    'a new password': { left: 1, end: (session) => call('PUT', '/user', { password: 'another horse' }, bearer(session)) },
    'signing out everywhere': { left: 0, end: (session) => call('POST', '/logout?scope=global', undefined, bearer(session)) },
    'signing out everywhere else': { left: 1, end: (session) => call('POST', '/logout?scope=others', undefined, bearer(session)) },
  }
  test.each(Object.entries(endings))('a code that waits to be exchanged opens nothing after %s', async (_, { left, end }) => {
    const { session } = await signUpAndConfirm(app)
    const use = await waitingCode(session.user.id)
    expect((await end(session)).statusCode).toBeLessThan(300)
    expect(await use()).toEqual([404, left])
  })

  test('a stranger’s code is refused after the address is proven', async () => {
    const { id, email } = await makeUser({ emailAssumed: true })
    const use = await waitingCode(id)
    await call('POST', '/otp', { email })
    const { link } = await secretsSoon(email ?? '', 'sign-in')
    expect((await call('POST', '/verify', { type: 'magiclink', token_hash: link })).statusCode).toBe(200)
    expect(await use()).toEqual([404, 1])
  })

  test('the owner who signs a person out ends their waiting codes as well', async () => {
    const { session } = await signUpAndConfirm(app)
    const use = await waitingCode(session.user.id)
    await directory.endSessions(session.user.id, {})
    expect(await use()).toEqual([404, 0])
  })

  test('a user who is banned meanwhile gets no session for the code', async () => {
    const { email, link, verifier } = await begun()
    const code = (await press(link, 'signup')).searchParams.get('code') ?? ''
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('email', '=', email)
      .execute()
    const reply = await exchange(code, verifier)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'user_banned'])
  })
})
