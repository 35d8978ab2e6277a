import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, stopClock } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startEndpoints()
const call = authClient(app)
const { finish, enrol } = factorClient(app)
beforeEach(forgetLimits)

type Headers = Record<string, string>

const URL = '/api/account/recovery-codes'
const count = (headers: Headers) => app.inject({ url: URL, headers })
const make = (headers: Headers) => app.inject({ method: 'POST', url: URL, headers })
const use = (code: string, headers: Headers) => app.inject({ method: 'POST', url: `${URL}/use`, headers, payload: { code } })
const signInAgain = async (email: string) =>
  sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
const refresh = (token: string) => call('POST', '/token?grant_type=refresh_token', { refresh_token: token })
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const cookies = (session: SessionAnswer, site = 'same-origin') => ({
  cookie: `${ACCESS_COOKIE}=${session.access_token}`,
  'sec-fetch-site': site,
})

/** A person with a second factor and ten codes, signed in again with only the password. */
async function withCodes() {
  const { email, session } = await signUpAndConfirm(app)
  const { session: raised, factor } = await finish(session)
  const { codes }: { codes: string[] } = (await make(bearer(raised))).json()
  return { email, raised, factor, codes, low: await signInAgain(email) }
}

describe('happy', () => {
  test('ten codes are shown once, and only their number after that', async () => {
    const { raised, codes } = await withCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    const kept = await count(bearer(raised))
    expect(kept.headers['cache-control']).toBe('no-store')
    expect(kept.json()).toEqual({ count: 10, madeAt: expect.any(String) })
  })

  test('a code raises the session, and its holder is told', async () => {
    const { email, codes, low } = await withCodes()
    const reply = await use(` ${codes[3]?.toUpperCase().replaceAll('-', ' ')}`, bearer(low))
    expect(reply.statusCode).toBe(200)
    const raised = sessionAnswer.parse(reply.json().session)
    expect(claimsOf(raised.access_token)).toMatchObject({
      session_id: claimsOf(low.access_token).session_id,
      aal: 'aal2',
      amr: [{ method: 'recovery_code' }, { method: 'password' }],
    })
    expect((await count(bearer(raised))).json().count).toBe(9)
    expect(await emailsTo(email)).toContainEqual({ kind: 'recovery-code-used', data: expect.objectContaining({ left: 9 }) })
  })

  test('in a browser the raised session goes into its cookies, and no token into the answer', async () => {
    const { codes, low } = await withCodes()
    const reply = await use(codes[0] ?? '', cookies(low))
    expect(reply.json()).toEqual({ aal: 'aal2' })
    const held = new Map(reply.cookies.map(({ name, value }) => [name, value]))
    expect(claimsOf(held.get(ACCESS_COOKIE) ?? '').aal).toBe('aal2')
    expect((await refresh(held.get(REFRESH_COOKIE) ?? '')).statusCode).toBe(200)
  })

  test('with a code the lost factor can be removed, and enrollment can start over', async () => {
    const { codes, factor, low } = await withCodes()
    const raised = sessionAnswer.parse((await use(codes[0] ?? '', bearer(low))).json().session)
    expect((await call('DELETE', `/factors/${factor.id}`, undefined, bearer(raised))).statusCode).toBe(200)
    expect(claimsOf(sessionAnswer.parse((await refresh(raised.refresh_token)).json()).access_token).aal).toBe('aal1')
    expect((await count(bearer(raised))).json()).toEqual({ count: 0, madeAt: null })
    expect((await enrol(raised)).statusCode).toBe(200)
  })

  test('new codes take the place of those before', async () => {
    const { raised, codes, low } = await withCodes()
    expect((await make(bearer(raised))).json().codes).toHaveLength(10)
    expect((await use(codes[0] ?? '', bearer(low))).statusCode).toBe(422)
    expect((await count(bearer(raised))).json().count).toBe(10)
  })
})

describe('error', () => {
  test('a wrong code, a used one and one where none is needed are refused', async () => {
    const { codes, low, raised } = await withCodes()
    expect((await use('abcd-efgh-jkmn', bearer(low))).json()).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
    expect((await use('', bearer(low))).statusCode).toBe(422)
    expect((await use(codes[0] ?? '', bearer(raised))).statusCode).toBe(409)
    expect((await use(codes[0] ?? '', bearer(low))).statusCode).toBe(200)
    expect((await use(codes[0] ?? '', bearer(await signInAgain(low.user.email)))).statusCode).toBe(422)
  })

  test('before there is a second factor there are no codes, or a thief could lay some by', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await make(bearer(session))).statusCode).toBe(409)
    expect((await count(bearer(session))).json()).toEqual({ count: 0, madeAt: null })
  })
})

describe('security', () => {
  test('strangers and other sites get nothing', async () => {
    const { low, raised, codes } = await withCodes()
    for (const ask of [() => count({}), () => make({}), () => use(codes[0] ?? '', {})]) expect((await ask()).statusCode).toBe(401)
    expect((await make(cookies(raised, 'cross-site'))).statusCode).toBe(403)
    expect((await use(codes[0] ?? '', cookies(low, 'cross-site'))).statusCode).toBe(403)
    expect((await count(bearer(raised))).json().count).toBe(10)
  })

  test('a session without the second factor creates no codes, and a code works only for its own account', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    expect((await make(bearer(one.low))).json()).toMatchObject({ status: 403, code: 'insufficient_aal' })
    expect((await use(other.codes[0] ?? '', bearer(one.low))).statusCode).toBe(422)
    expect((await count(bearer(other.raised))).json().count).toBe(10)
  })

  test('used by two at the same moment it works for one', async () => {
    const { email, codes, low } = await withCodes()
    const sessions = [low, await signInAgain(email), await signInAgain(email)]
    const replies = await Promise.all(sessions.map((session) => use(codes[0] ?? '', bearer(session))))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('guesses are counted for the account', async () => {
    const { codes, low } = await withCodes()
    stopClock()
    const replies = await Promise.all(Array.from({ length: 14 }, () => use('abcd-efgh-jkmn', bearer(low))))
    expect(replies.filter(({ statusCode }) => statusCode === 422).length).toBe(11)
    expect((await use(codes[0] ?? '', bearer(low))).statusCode).toBe(429)
  })

  test('the refresh token from before is dead, and the database holds no code', async () => {
    const { codes, low } = await withCodes()
    await use(codes[0] ?? '', bearer(low))
    expect((await refresh(low.refresh_token)).json().code).toBe('refresh_token_already_used')
    const rows = await db.selectFrom('recoveryCodes').selectAll().where('userId', '=', low.user.id).execute()
    expect(rows).toHaveLength(10)
    const stored = rows.map(({ codeHash }) => Buffer.from(codeHash).toString('latin1')).join()
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''))
  })
})
