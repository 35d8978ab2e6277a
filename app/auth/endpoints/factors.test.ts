import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { signAccessToken } from '#app/auth/sessions/jwt.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, stopClock } from '#test/auth.ts'
import { signIn as makeSignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { factorClient, forgetSteps } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'

const app = await startEndpoints()
const call = authClient(app)
const { enrol, challenge, verify, begin, pass, finish } = factorClient(app)
beforeEach(forgetLimits)

const claimsOf = ({ access_token: token }: SessionAnswer) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const signInAgain = async (email: string) =>
  sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
const refresh = (token: string) => call('POST', '/token?grant_type=refresh_token', { refresh_token: token })
const remove = (session: SessionAnswer, id: string) => call('DELETE', `/factors/${id}`, undefined, bearer(session))
const userOf = async (session: SessionAnswer) => (await call('GET', '/user', undefined, bearer(session))).json()
const outcome = (reply: Awaited<ReturnType<typeof remove>>) => [reply.statusCode, reply.json().code]
const challengeId = async (session: SessionAnswer, factor: { id: string }) => (await challenge(session, factor.id)).json().id
/** A different six-digit code. */
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('happy', () => {
  test('enrolling returns the secret in three forms, and later responses never contain it', async () => {
    const { email, session } = await signUpAndConfirm(app)
    expect(await userOf(session)).not.toHaveProperty('factors')
    const reply = await enrol(session, { friendly_name: 'Phone', issuer: 'Win & now' })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    const { id, type, friendly_name: name, totp } = reply.json()
    expect([type, name]).toEqual(['totp', 'Phone'])
    expect(totp.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(totp.uri).toBe(
      `otpauth://totp/Win%20%26%20now:${encodeURIComponent(email)}?algorithm=SHA1&digits=6&issuer=Win%20%26%20now&period=30&secret=${totp.secret}`,
    )
    expect(totp.qr_code).toMatch(/^<svg [^#]*<\/svg>$/)
    const user = await userOf(session)
    expect(user.factors).toEqual([
      {
        id,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        status: 'unverified',
        friendly_name: 'Phone',
        factor_type: 'totp',
        phone: null,
        last_challenged_at: null,
      },
    ])
    expect(JSON.stringify(user)).not.toContain(totp.secret)
  })

  test('the default issuer is the host of the site', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await enrol(session)).json().totp.uri).toMatch(/^otpauth:\/\/totp\/localhost%3A3000:/)
  })

  test('a right code elevates the session in place, and the first one emails the user', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const asked = await challenge(session, factor.id)
    expect(asked.json()).toEqual({ id: expect.any(String), type: 'totp', expires_at: expect.any(Number) })
    expect(asked.json().expires_at).toBeGreaterThan(Date.now() / 1000 + 290)
    const reply = await verify(session, factor.id, asked.json().id, codeOf(factor.secret))
    expect(reply.statusCode).toBe(200)
    const raised = sessionAnswer.parse(reply.json())
    expect(raised.user.factors).toMatchObject([{ id: factor.id, status: 'verified', last_challenged_at: expect.any(String) }])
    const [before, after] = [claimsOf(session), claimsOf(raised)]
    expect(after).toMatchObject({ session_id: before.session_id, aal: 'aal2', amr: [{ method: 'totp' }, { method: 'otp' }] })
    expect(claimsOf(sessionAnswer.parse((await refresh(raised.refresh_token)).json()))).toMatchObject({ aal: 'aal2', amr: after.amr })
    expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('factor-added')

    await forgetSteps()
    await pass(raised, factor)
    expect((await emailsTo(email)).filter(({ kind }) => kind === 'factor-added')).toHaveLength(1)
  })

  test('codes of the previous and the next time step are accepted, too', async () => {
    for (const steps of [-1, 1]) {
      const { session } = await signUpAndConfirm(app)
      const factor = await begin(session)
      expect((await verify(session, factor.id, await challengeId(session, factor), codeOf(factor.secret, steps))).statusCode).toBe(200)
    }
  })

  test('a verified factor ends sessions without MFA and other enrollments of its type', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const other = await signInAgain(email)
    const [factor] = [await begin(session, 'One'), await begin(session, 'Two')]
    const raised = await pass(session, factor)
    expect((await userOf(raised)).factors).toHaveLength(1)
    expect(outcome(await call('GET', '/user', undefined, bearer(other)))).toEqual([403, 'session_not_found'])
    expect((await refresh(other.refresh_token)).statusCode).toBe(400)
    await forgetSteps()
    const third = await pass(await signInAgain(email), factor)
    expect((await userOf(raised)).id).toBe((await userOf(third)).id)
  })

  test('removing a factor lowers the sessions that it elevated, and emails the user', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { factor, session: raised } = await finish(session)
    const reply = await remove(raised, factor.id)
    expect([reply.statusCode, reply.json()]).toEqual([200, { id: factor.id }])
    expect(await userOf(raised)).not.toHaveProperty('factors')
    const lowered = sessionAnswer.parse((await refresh(raised.refresh_token)).json())
    expect(claimsOf(lowered)).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] })
    expect(await emailsTo(email)).toContainEqual({ kind: 'factor-removed', data: expect.objectContaining({ isLast: true }) })
  })

  test('a session that another factor elevated is unchanged', async () => {
    const { session } = await signUpAndConfirm(app)
    const { session: raised } = await finish(session, 'One')
    const { factor: second, session: again } = await finish(raised, 'Two')
    const email = again.user.email
    const first = (await userOf(again)).factors.find(({ id }: { id: string }) => id !== second.id)
    await remove(again, first.id)
    expect(claimsOf(sessionAnswer.parse((await refresh(again.refresh_token)).json())).aal).toBe('aal2')
    expect(await emailsTo(email)).toContainEqual({ kind: 'factor-removed', data: expect.objectContaining({ isLast: false }) })
  })

  test('an unfinished enrollment frees its name after five minutes', async () => {
    const { session } = await signUpAndConfirm(app)
    const columns = { factorType: 'totp', friendlyName: 'Phone', secretSealed: Buffer.of(1) } as const
    await insert(db, 'mfaFactors', { ...columns, userId: session.user.id, createdAt: new Date(Date.now() - 301_000) })
    expect((await enrol(session, { friendly_name: 'Phone' })).statusCode).toBe(200)
    expect((await userOf(session)).factors).toHaveLength(1)
  })
})

describe('error', () => {
  test('what is asked for in a wrong way has its code', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = await begin(session)
    const auth = bearer(session)
    const cases: [method: 'POST' | 'DELETE', path: string, body: object | undefined, status: number, code: string][] = [
      ['POST', '/factors', undefined, 400, 'bad_json'],
      ['POST', '/factors', {}, 400, 'validation_failed'],
      ['POST', '/factors', { factor_type: 'retina' }, 400, 'validation_failed'],
      ['POST', '/factors', { factor_type: 'totp', friendly_name: 'x'.repeat(101) }, 400, 'validation_failed'],
      ['POST', '/factors', { factor_type: 'totp', friendly_name: 'a\0b' }, 400, 'validation_failed'],
      ['POST', '/factors', { factor_type: 'totp', friendly_name: 'Mine', issuer: '\ud800' }, 400, 'validation_failed'],
      ['POST', '/factors', { factor_type: 'totp', friendly_name: 'Phone' }, 422, 'mfa_factor_name_conflict'],
      ['POST', '/factors/x/challenge', undefined, 404, 'validation_failed'],
      ['POST', `/factors/${newId()}/challenge`, undefined, 404, 'mfa_factor_not_found'],
      ['POST', '/factors/x/verify', { code: '123456', challenge_id: newId() }, 404, 'validation_failed'],
      ['POST', `/factors/${id}/verify`, { code: '', challenge_id: newId() }, 400, 'validation_failed'],
      ['POST', `/factors/${id}/verify`, { code: '123456' }, 400, 'validation_failed'],
      ['POST', `/factors/${id}/verify`, { code: '123456', challenge_id: newId() }, 422, 'mfa_factor_not_found'],
      ['POST', `/factors/${newId()}/verify`, { code: '123456', challenge_id: newId() }, 404, 'mfa_factor_not_found'],
      ['DELETE', '/factors/x', undefined, 404, 'validation_failed'],
      ['DELETE', `/factors/${newId()}`, undefined, 404, 'mfa_factor_not_found'],
    ]
    for (const [method, path, body, status, code] of cases) {
      expect([path, body, ...outcome(await call(method, path, body, auth))]).toEqual([path, body, status, code])
    }
  })

  test('a second unnamed factor is refused', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await enrol(session)).statusCode).toBe(200)
    expect(outcome(await enrol(session))).toEqual([422, 'mfa_factor_name_conflict'])
  })

  test('the limit of ten factors holds for eleven concurrent requests', async () => {
    const { session } = await signUpAndConfirm(app)
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => enrol(session, { friendly_name: `Factor ${index}` })))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    expect(outcome(await enrol(session, { friendly_name: 'One more' }))).toEqual([422, 'too_many_enrolled_mfa_factors'])
  })

  test('a wrong code, an expired challenge and a used one each say so', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const id = await challengeId(session, factor)
    const refused = await verify(session, factor.id, id, wrong(codeOf(factor.secret)))
    expect(outcome(refused)).toEqual([422, 'mfa_verification_failed'])
    expect(refused.json().message).toContain('Invalid TOTP code')
    const old = await insert(db, 'mfaChallenges', {
      factorId: factor.id,
      sessionId: claimsOf(session).session_id,
      address: '127.0.0.1',
      createdAt: new Date(Date.now() - 301_000),
    })
    expect(outcome(await verify(session, factor.id, old.id, codeOf(factor.secret)))).toEqual([422, 'mfa_challenge_expired'])
    const raised = sessionAnswer.parse((await verify(session, factor.id, id, codeOf(factor.secret))).json())
    expect(outcome(await verify(raised, factor.id, id, codeOf(factor.secret, 1)))).toEqual([422, 'mfa_ip_address_mismatch'])
  })
})

describe('security', () => {
  test('a sign-out during a challenge request makes it fail with a refusal, not a crash', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const asked = Array.from({ length: 3 }, () => challenge(session, factor.id))
    const [left, ...replies] = await Promise.all([call('POST', '/logout', undefined, bearer(session)), ...asked])
    expect(left.statusCode).toBe(204)
    for (const reply of replies) expect([200, 403, 409]).toContain(reply.statusCode)
    expect(await db.selectFrom('mfaChallenges').select('id').where('factorId', '=', factor.id).execute()).toEqual([])
  })

  test('requests without a session and anonymous users are refused', async () => {
    const { user, session } = await makeSignedIn('customer', { isAnonymous: true, email: null })
    const anonymous = bearer({ access_token: (await signAccessToken(user, session)).token })
    const calls: ['POST' | 'DELETE', string, object | undefined][] = [
      ['POST', '/factors', { factor_type: 'totp' }],
      ['POST', `/factors/${newId()}/challenge`, undefined],
      ['POST', `/factors/${newId()}/verify`, { code: '123456', challenge_id: newId() }],
      ['DELETE', `/factors/${newId()}`, undefined],
    ]
    for (const [method, path, body] of calls) {
      expect(outcome(await call(method, path, body))).toEqual([401, 'no_authorization'])
      expect(outcome(await call(method, path, body, { authorization: 'Bearer x' }))).toEqual([403, 'bad_jwt'])
      expect(outcome(await call(method, path, body, anonymous))).toEqual([403, 'no_authorization'])
    }
  })

  test('other users’ factors are not found', async () => {
    const [mine, theirs] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    const factor = await begin(theirs.session)
    const id = await challengeId(theirs.session, factor)
    expect(outcome(await challenge(mine.session, factor.id))).toEqual([404, 'mfa_factor_not_found'])
    expect(outcome(await verify(mine.session, factor.id, id, codeOf(factor.secret)))).toEqual([404, 'mfa_factor_not_found'])
    expect(outcome(await remove(mine.session, factor.id))).toEqual([404, 'mfa_factor_not_found'])
    expect((await userOf(theirs.session)).factors).toHaveLength(1)
  })

  test('a session by password alone can neither add a factor nor remove the existing one', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { factor } = await finish(session)
    const low = await signInAgain(email)
    expect(outcome(await enrol(low, { friendly_name: 'Mine' }))).toEqual([403, 'insufficient_aal'])
    expect(outcome(await remove(low, factor.id))).toEqual([422, 'insufficient_aal'])
  })

  test('a session by password alone cannot remove an unverified factor', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { session: raised } = await finish(session)
    const begun = await begin(raised, 'Left lying')
    expect(outcome(await remove(await signInAgain(email), begun.id))).toEqual([422, 'insufficient_aal'])
  })

  test('a session by password alone cannot end other sessions; it can end itself', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { session: raised } = await finish(session)
    const [low, other] = [await signInAgain(email), await signInAgain(email)]
    const leave = (of: SessionAnswer, scope: string) => call('POST', `/logout?scope=${scope}`, undefined, bearer(of))
    expect(outcome(await leave(low, 'others'))).toEqual([422, 'insufficient_aal'])
    expect((await userOf(low)).email).toBe(email)
    expect(outcome(await leave(low, 'global'))).toEqual([403, 'insufficient_aal'])
    expect((await userOf(low)).code).toBe('session_not_found')
    expect((await leave(other, 'local')).statusCode).toBe(204)
    expect((await userOf(raised)).email).toBe(email)
    expect((await leave(raised, 'global')).statusCode).toBe(204)
  })

  test('a session by password alone cannot verify an earlier enrollment', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { session: raised } = await finish(session)
    const begun = await begin(raised, 'Left lying')
    const low = await signInAgain(email)
    const id = await challengeId(low, begun)
    expect(outcome(await verify(low, begun.id, id, codeOf(begun.secret)))).toEqual([403, 'insufficient_aal'])
    expect(claimsOf(sessionAnswer.parse((await refresh(low.refresh_token)).json())).aal).toBe('aal1')
  })

  test('a code counts once: not again, not an older one, not twice at the same moment', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const ids = await Promise.all([1, 2, 3, 4].map(() => challengeId(session, factor)))
    const code = codeOf(factor.secret)
    const replies = await Promise.all(ids.map((id) => verify(session, factor.id, id, code)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 422, 422, 422])
    const winner = replies.find(({ statusCode }) => statusCode === 200)
    const raised = sessionAnswer.parse(winner?.json())
    for (const steps of [0, -1]) {
      const reply = await verify(raised, factor.id, await challengeId(raised, factor), codeOf(factor.secret, steps))
      expect(outcome(reply)).toEqual([422, 'mfa_verification_failed'])
    }
  })

  test('the same challenge answered twice at the same moment opens once', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const id = await challengeId(session, factor)
    const codes = [codeOf(factor.secret), codeOf(factor.secret, 1)]
    const replies = await Promise.all(codes.map((code) => verify(session, factor.id, id, code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('five tries a challenge, the right code included, however many come at once', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const id = await challengeId(session, factor)
    const guess = wrong(codeOf(factor.secret))
    const replies = await Promise.all(Array.from({ length: 8 }, () => verify(session, factor.id, id, guess)))
    expect(replies.filter((reply) => reply.json().code === 'mfa_verification_failed')).toHaveLength(5)
    expect(outcome(await verify(session, factor.id, id, codeOf(factor.secret)))).toEqual([422, 'mfa_challenge_expired'])
  })

  test('new challenges give no extra tries: after ten wrong codes the account must wait, from any address', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const guess = wrong(codeOf(factor.secret))
    const outcomes = []
    stopClock()
    for (let round = 1; round <= 3; round += 1) {
      const id = await challengeId(session, factor)
      for (let count = 1; count <= 4; count += 1) outcomes.push((await verify(session, factor.id, id, guess)).statusCode)
    }
    expect(outcomes).toEqual([...Array.from({ length: 11 }, () => 422), 429])
  })

  test('a challenge belongs to the session, the factor and the address that asked', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const [one, two] = [await begin(session, 'One'), await begin(session, 'Two')]
    const id = await challengeId(session, one)
    const other = await signInAgain(email)
    expect(outcome(await verify(other, one.id, id, codeOf(one.secret)))).toEqual([422, 'mfa_factor_not_found'])
    expect(outcome(await verify(session, two.id, id, codeOf(two.secret)))).toEqual([422, 'mfa_factor_not_found'])
    const elsewhere = await app.inject({
      method: 'POST',
      url: `/auth/v1/factors/${one.id}/verify`,
      remoteAddress: '203.0.113.9',
      headers: { ...bearer(session), 'x-supabase-api-version': '2024-01-01' },
      payload: { challenge_id: id, code: codeOf(one.secret) },
    })
    expect(outcome(elsewhere)).toEqual([422, 'mfa_ip_address_mismatch'])
    expect((await verify(session, one.id, id, codeOf(one.secret))).statusCode).toBe(200)
  })

  test('a refresh token from before MFA is refused, immediately and later', async () => {
    const { session } = await signUpAndConfirm(app)
    const { session: raised } = await finish(session)
    const early = await refresh(session.refresh_token)
    expect(outcome(early)).toEqual([400, 'refresh_token_already_used'])
    const next = sessionAnswer.parse((await refresh(raised.refresh_token)).json())
    expect(claimsOf(next).aal).toBe('aal2')

    await db
      .updateTable('refreshTokens')
      .set({ usedAt: new Date(Date.now() - 60_000) })
      .where('usedAt', 'is not', null)
      .execute()
    expect(outcome(await refresh(session.refresh_token))).toEqual([400, 'refresh_token_already_used'])
    expect(outcome(await call('GET', '/user', undefined, bearer(next)))).toEqual([403, 'session_not_found'])
  })

  test('secrets are sealed for their row, and useless in another one', async () => {
    const { session } = await signUpAndConfirm(app)
    const [one, two] = [await begin(session, 'One'), await begin(session, 'Two')]
    const rows = await db.selectFrom('mfaFactors').selectAll().where('id', 'in', [one.id, two.id]).orderBy('createdAt').execute()
    const [sealed] = rows.map(({ secretSealed }) => Buffer.from(secretSealed ?? []))
    expect(sealed?.includes(one.secret)).toBe(false)
    await db
      .updateTable('mfaFactors')
      .set({ secretSealed: sealed ?? null })
      .where('id', '=', two.id)
      .execute()
    const reply = await verify(session, two.id, await challengeId(session, two), codeOf(one.secret))
    expect(reply.statusCode).toBe(500)
  })

  test('the audit log has every event, without codes', async () => {
    const { session } = await signUpAndConfirm(app)
    const { factor, session: raised } = await finish(session)
    await remove(raised, factor.id)
    const events = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', session.user.id).orderBy('id').execute()
    const actions = events.map(({ action }) => action)
    expect(actions.slice(-4)).toEqual(['factor_in_progress', 'challenge_created', 'verification_attempted', 'factor_unenrolled'])
    expect(JSON.stringify(events)).not.toContain(factor.secret)
  })

  test('fifteen questions a minute from one address', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = await begin(session)
    const codes = []
    for (let count = 1; count <= 16; count += 1) codes.push((await challenge(session, factor.id)).statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(15)
    expect(codes.at(-1)).toBe(429)
  })
})
