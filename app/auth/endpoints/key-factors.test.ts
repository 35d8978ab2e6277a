import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { softAuthenticator, type Twist } from '#test/authenticator.ts'
import { emailsTo } from '#test/emails.ts'
import { passkeyClient } from '#test/passkeys.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startEndpoints()
const call = authClient(app)
const { enrol, challenge, finish: finishTotp } = factorClient(app)
const { register, enter } = passkeyClient(app)
beforeEach(forgetLimits)

const asked = z.object({
  id: z.string(),
  type: z.literal('webauthn'),
  expires_at: z.number(),
  webauthn: z.object({ type: z.string(), credential_options: z.object({ publicKey: z.looseObject({ challenge: z.string() }) }) }),
})

const claimsOf = ({ access_token: token }: SessionAnswer) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const outcome = (reply: { statusCode: number; json: () => { code?: string } }) => [reply.statusCode, reply.json().code]
const failed = [422, 'mfa_verification_failed']

async function begin(session: SessionAnswer, name = 'Key') {
  const reply = await enrol(session, { factor_type: 'webauthn', friendly_name: name })
  expect([reply.statusCode, reply.json()]).toEqual([200, { id: expect.any(String), type: 'webauthn', friendly_name: name }])
  return String(reply.json().id)
}

async function ask(session: SessionAnswer, id: string) {
  const question = asked.parse((await challenge(session, id)).json())
  return { challengeId: question.id, options: question.webauthn.credential_options.publicKey, type: question.webauthn.type }
}

function answer(session: SessionAnswer, id: string, challengeId: string, type: string, credential: unknown) {
  // Clients also send the relying party; the server ignores it.
  const webauthn = { type, credential_response: credential, rpId: 'evil.example', rpOrigins: ['https://evil.example'] }
  return call('POST', `/factors/${id}/verify`, { challenge_id: challengeId, webauthn }, bearer(session))
}

/** A verified key factor, with the session that it elevated. */
async function finish(session: SessionAnswer, device = softAuthenticator(), twist: Twist = {}) {
  const id = await begin(session)
  const { challengeId, options } = await ask(session, id)
  const reply = await answer(session, id, challengeId, 'create', device.create(options, twist))
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
  return { id, device, raised: sessionAnswer.parse(reply.json()) }
}

async function signInAgain(email: string) {
  return sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
}

/** A user with a key factor, signed in by password only. */
async function beforeMfa(device = softAuthenticator()) {
  const { email, session } = await signUpAndConfirm(app)
  const { id } = await finish(session, device, { count: 5 })
  return { id, device, email, session: await signInAgain(email) }
}

describe('happy', () => {
  test('a key is a second factor: it elevates the session in place, and the user gets an email', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const id = await begin(session)
    const { challengeId, options, type } = await ask(session, id)
    expect(type).toBe('create')
    expect(options).toMatchObject({ rp: { id: 'localhost' }, user: { name: email, displayName: 'Key' }, attestation: 'none' })
    const device = softAuthenticator({ counts: true })
    const reply = await answer(session, id, challengeId, 'create', device.create(options))
    const raised = sessionAnswer.parse(reply.json())
    expect(claimsOf(raised)).toMatchObject({ aal: 'aal2', amr: [{ method: 'mfa/webauthn' }, { method: 'otp' }] })
    expect(raised.user.factors).toMatchObject([{ id, factor_type: 'webauthn', status: 'verified', friendly_name: 'Key' }])
    expect(await emailsTo(email)).toContainEqual({ kind: 'factor-added', data: expect.objectContaining({ factorType: 'webauthn' }) })

    const again = await signInAgain(email)
    const request = await ask(again, id)
    expect(request.type).toBe('request')
    expect(request.options['allowCredentials']).toHaveLength(1)
    const passed = await answer(again, id, request.challengeId, 'request', device.get(request.options))
    expect(claimsOf(sessionAnswer.parse(passed.json()))).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    })
  })

  test('an older key that cannot check who uses it is enough for a second step', async () => {
    const { id, device, session } = await beforeMfa()
    const { challengeId, options } = await ask(session, id)
    expect((await answer(session, id, challengeId, 'request', device.get(options, { verified: false, count: 6 }))).statusCode).toBe(200)
  })

  test('removing the factor deletes its key, and lowers the sessions that it elevated', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { id, raised } = await finish(session)
    expect((await call('DELETE', `/factors/${id}`, undefined, bearer(raised))).statusCode).toBe(200)
    expect(await db.selectFrom('webauthnCredentials').select('id').where('userId', '=', session.user.id).execute()).toEqual([])
    expect((await call('GET', '/user', undefined, bearer(raised))).json()).not.toHaveProperty('factors')
    expect(await emailsTo(email)).toContainEqual({ kind: 'factor-removed', data: expect.objectContaining({ factorType: 'webauthn' }) })
  })

  test('a passkey of the same authenticator stays a passkey', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const { id } = await finish(session)
    const entered = sessionAnswer.parse((await enter(device)).json())
    expect(claimsOf(entered).aal).toBe('aal1')
    const { options } = await ask(entered, id)
    expect(options['allowCredentials']).toHaveLength(1)
  })
})

describe('error', () => {
  test('what is asked for in a wrong way has its code', async () => {
    const { session } = await signUpAndConfirm(app)
    const id = await begin(session)
    const { challengeId, options } = await ask(session, id)
    const verify = (body: object) => call('POST', `/factors/${id}/verify`, { challenge_id: challengeId, ...body }, bearer(session))
    for (const body of [{}, { code: '123456' }, { webauthn: { type: 'other', credential_response: {} } }, { webauthn: { type: 'create' } }])
      expect([body, outcome(await verify(body))]).toEqual([body, [400, 'validation_failed']])
    const made = await answer(session, id, challengeId, 'create', softAuthenticator().create(options))
    const { factor, session: raised } = await finishTotp(sessionAnswer.parse(made.json()))
    const { id: totpChallenge } = (await challenge(raised, factor.id)).json()
    expect(outcome(await answer(raised, factor.id, totpChallenge, 'request', { id: 'x' }))).toEqual([400, 'validation_failed'])
  })
})

describe('security', () => {
  test.each<[what: string, twist: Twist]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a frame of another site', { crossOrigin: true }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['a counter that has not gone up', { count: 5 }],
  ])('a key does not pass by %s', async (_, twist) => {
    const { id, device, session } = await beforeMfa()
    const { challengeId, options } = await ask(session, id)
    expect(outcome(await answer(session, id, challengeId, 'request', device.get(options, { count: 6, ...twist })))).toEqual(failed)
  })

  test('a challenge is good for one answer', async () => {
    const { id, device, session } = await beforeMfa()
    const { challengeId, options } = await ask(session, id)
    expect(outcome(await answer(session, id, challengeId, 'request', { id: 'x' }))).toEqual(failed)
    const right = device.get(options, { count: 6 })
    expect(outcome(await answer(session, id, challengeId, 'request', right))).toEqual([422, 'mfa_challenge_expired'])
  })

  test('the challenge of another session is not known', async () => {
    const { id, device, email, session } = await beforeMfa()
    const { challengeId, options } = await ask(session, id)
    const other = await signInAgain(email)
    const reply = await answer(other, id, challengeId, 'request', device.get(options, { count: 6 }))
    expect(outcome(reply)).toEqual([422, 'mfa_factor_not_found'])
  })

  test('the key of another factor, or of another person, or a passkey of the same person does not pass', async () => {
    const { id, session } = await beforeMfa()
    const stranger = await beforeMfa()
    const own = await signUpAndConfirm(app)
    const { device: passkey } = await register(own.session)
    const { id: ownId } = await finish(own.session)
    const half = await signInAgain(own.email)
    const cases = [
      [session, id, stranger.device],
      [half, ownId, passkey],
    ] as const
    for (const [holder, factorId, device] of cases) {
      const { challengeId, options } = await ask(holder, factorId)
      expect(outcome(await answer(holder, factorId, challengeId, 'request', device.get(options, { count: 9 })))).toEqual(failed)
    }
  })

  test('a session by password alone cannot put a new key in place of the one that keeps it out', async () => {
    const { id, session } = await beforeMfa()
    expect(outcome(await enrol(session, { factor_type: 'webauthn', friendly_name: 'Mine' }))).toEqual([403, 'insufficient_aal'])
    const { challengeId, options } = await ask(session, id)
    const made = softAuthenticator().create({ ...options, rp: { id: 'localhost' }, user: { id: 'eA', name: 'x' } })
    expect(outcome(await answer(session, id, challengeId, 'create', made))).toEqual(failed)
  })

  test('of two keys that are made for one factor at the same moment one counts', async () => {
    const { session } = await signUpAndConfirm(app)
    const id = await begin(session)
    const questions = [await ask(session, id), await ask(session, id)]
    const replies = await Promise.all(
      questions.map(({ challengeId, options }) => answer(session, id, challengeId, 'create', softAuthenticator().create(options))),
    )
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(await db.selectFrom('webauthnCredentials').select('id').where('factorId', '=', id).execute()).toHaveLength(1)
  })
})
