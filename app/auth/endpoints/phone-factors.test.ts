import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { MFA_PHONE_ENROLL_ENABLED: 'true', MFA_PHONE_VERIFY_ENABLED: 'true', SMS_TEST_OTP: '15555550100:123456' })
})

import { AuthClient } from '@supabase/auth-js'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startAuth()
const call = authClient(app)
const { enrol, challenge, verify, finish } = factorClient(app)
beforeEach(forgetLimits)

let last = 4_915_110_000_000
const someNumber = () => String((last += 1))
const claimsOf = ({ access_token: token }: SessionAnswer) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const enrolPhone = (session: SessionAnswer, phone: string | undefined, friendlyName = phone) =>
  enrol(session, { factor_type: 'phone', phone, friendly_name: friendlyName })
const messagesTo = async (phone: string) => (await emailsTo(`${phone}@phone.localhost`)).map(({ data }) => String(data.code))
const outcome = (reply: Awaited<ReturnType<typeof enrol>>) => [reply.statusCode, reply.json().code]

/** A phone number that was sent a code. */
async function asked() {
  const { email, session } = await signUpAndConfirm(app)
  const phone = someNumber()
  const { id } = (await enrolPhone(session, phone)).json()
  const reply = await challenge(session, id)
  expect(reply.json()).toEqual({ id: expect.any(String), type: 'phone', expires_at: expect.any(Number) })
  const [code = ''] = await messagesTo(phone)
  return { email, session, phone, id, challengeId: String(reply.json().id), code }
}

describe('happy', () => {
  test('a code that reaches the phone raises the session', async () => {
    const { session, phone, id, challengeId, code, email } = await asked()
    expect(code).toMatch(/^\d{6}$/)
    const raised = sessionAnswer.parse((await verify(session, id, challengeId, code)).json())
    expect(claimsOf(raised)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/phone' }, { method: 'otp' }] })
    expect(raised.user.factors).toMatchObject([{ id, factor_type: 'phone', phone, status: 'verified' }])
    expect(await emailsTo(email)).toContainEqual({ kind: 'factor-added', data: expect.objectContaining({ factorType: 'phone' }) })
  })

  test('the protocol’s own client does the same, with a number written as people write it', async () => {
    const { email } = await signUpAndConfirm(app)
    const client = new AuthClient({ url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`, autoRefreshToken: false })
    await client.signInWithPassword({ email, password: PASSWORD })
    const phone = someNumber()
    const { data } = await client.mfa.enroll({ factorType: 'phone', phone: `+49 ${phone.slice(2)}` })
    expect(data).toMatchObject({ type: 'phone', phone })
    const factorId = data?.id ?? ''
    const { data: question } = await client.mfa.challenge({ factorId, channel: 'sms' })
    const [code = ''] = await messagesTo(phone)
    expect((await client.mfa.verify({ factorId, challengeId: question?.id ?? '', code })).error).toBeNull()
    expect((await client.mfa.listFactors()).data?.phone).toMatchObject([{ id: factorId }])
    await client.stopAutoRefresh()
  })

  test('begun again for the same number, the first enrolment gives way', async () => {
    const { session, phone, id } = await asked()
    const again = (await enrolPhone(session, phone)).json()
    expect(again.id).not.toBe(id)
    const { factors } = (await call('GET', '/user', undefined, bearer(session))).json()
    expect(factors).toHaveLength(1)
  })

  test('a number of the operator’s own tests has the code that the setting names, and nothing is sent', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = (await enrolPhone(session, '15555550100')).json()
    const { id: challengeId } = (await challenge(session, id)).json()
    expect(await messagesTo('15555550100')).toEqual([])
    expect((await verify(session, id, challengeId, '123456')).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('what is no number is refused in the words that clients compare', async () => {
    const { session } = await signUpAndConfirm(app)
    for (const phone of [undefined, '', 'abc', '0491511', '1'.repeat(16)]) {
      const reply = await enrolPhone(session, phone, 'x')
      expect([phone, ...outcome(reply), reply.json().message]).toEqual([
        phone,
        400,
        'validation_failed',
        'Invalid phone number format (E.164 required)',
      ])
    }
  })

  test('a number that is a finished factor already is not one again', async () => {
    const { session, phone, id, challengeId, code } = await asked()
    const raised = sessionAnswer.parse((await verify(session, id, challengeId, code)).json())
    expect(outcome(await enrolPhone(raised, phone, 'Again'))).toEqual([422, 'mfa_verified_factor_exists'])
  })

  test('messages come once a minute', async () => {
    const { session, id, phone } = await asked()
    const reply = await challenge(session, id)
    expect(outcome(reply)).toEqual([429, 'over_sms_send_rate_limit'])
    expect(reply.json().message).toMatch(/only request this after \d+ seconds/)
    expect(await messagesTo(phone)).toHaveLength(1)
  })

  test('a wrong code says so', async () => {
    const { session, id, challengeId, code } = await asked()
    const reply = await verify(session, id, challengeId, code === '000000' ? '000001' : '000000')
    expect(outcome(reply)).toEqual([422, 'mfa_verification_failed'])
    expect((await verify(session, id, challengeId, code)).statusCode).toBe(200)
  })
})

describe('security', () => {
  test('a code is good for its own challenge, once, and not for five wrong tries', async () => {
    const { session, id, challengeId, code } = await asked()
    await forgetLimits()
    const { id: other } = (await challenge(session, id)).json()
    expect(outcome(await verify(session, id, other, code))).toEqual([422, 'mfa_verification_failed'])
    const wrong = code === '000000' ? '000001' : '000000'
    for (let guess = 1; guess <= 5; guess += 1) await verify(session, id, challengeId, wrong)
    expect(outcome(await verify(session, id, challengeId, code))).toEqual([422, 'mfa_challenge_expired'])
  })

  test('a phone that was begun before an authenticator was finished cannot be finished with the password alone', async () => {
    const { email, session, id } = await asked()
    const { session: raised } = await finish(session)
    const low = sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
    await forgetLimits()
    const { id: challengeId } = (await challenge(low, id)).json()
    const codes = await messagesTo(raised.user.factors?.find((factor) => factor.id === id)?.phone ?? '')
    expect(outcome(await verify(low, id, challengeId, codes.at(-1) ?? ''))).toEqual([403, 'insufficient_aal'])
  })

  test('one account can have messages sent to few unproven phones', async () => {
    const { session } = await signUpAndConfirm(app)
    const outcomes = []
    for (let tried = 0; tried < 7; tried += 1) {
      const { id } = (await enrolPhone(session, someNumber())).json()
      const reply = await challenge(session, id)
      outcomes.push(reply.statusCode === 200 ? 200 : reply.json().code)
      await call('DELETE', `/factors/${id}`, undefined, bearer(session))
    }
    expect(outcomes).toEqual([200, 200, 200, 200, 200, 'over_sms_send_rate_limit', 'over_sms_send_rate_limit'])
    const other = await asked()
    expect((await verify(other.session, other.id, other.challengeId, other.code)).statusCode).toBe(200)
  })

  test('the database holds a keyed hash of the code', async () => {
    const { challengeId, code } = await asked()
    const row = await db.selectFrom('mfaChallenges').selectAll().where('id', '=', challengeId).executeTakeFirstOrThrow()
    expect(row.codeHmac).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(code)
  })
})
