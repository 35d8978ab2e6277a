import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { signAccessToken } from '#app/auth/sessions/jwt.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { softAuthenticator, type Twist } from '#test/authenticator.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { passkeyClient } from '#test/passkeys.ts'
import { factorClient } from '#test/mfa.ts'

const app = await startEndpoints()
const auth = authClient(app)
const { call, ask, answer, askToSignIn, signIn, begin, register, enter } = passkeyClient(app)
beforeEach(forgetLimits)

const claimsOf = ({ access_token: token }: SessionAnswer) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const outcome = (reply: { statusCode: number; json: () => { code?: string } }) => [reply.statusCode, reply.json().code]
const failed = [400, 'webauthn_verification_failed']
const passkeysOf = async (userId: string) =>
  db.selectFrom('webauthnCredentials').selectAll().where('userId', '=', userId).where('factorId', 'is', null).execute()
const eventsOf = async (userId: string) =>
  (await db.selectFrom('auditEvents').select(['action', 'detail']).where('subjectId', '=', userId).orderBy('id').execute()).filter(
    ({ action }) => action.startsWith('passkey'),
  )

async function signInAgain(email: string) {
  return sessionAnswer.parse((await auth('POST', '/token?grant_type=password', { email, password: PASSWORD })).json())
}

/** A session for a user with exactly this row. */
async function sessionFor(given: Parameters<typeof makeUser>[0]): Promise<SessionAnswer> {
  const user = await makeUser(given)
  const { token } = await signAccessToken(user, await insert(db, 'sessions', { userId: user.id }))
  return sessionAnswer.parse({
    access_token: token,
    token_type: 'bearer',
    expires_in: 900,
    expires_at: 1,
    refresh_token: 'x',
    user: (await auth('GET', '/user', undefined, bearer({ access_token: token }))).json(),
  })
}

describe('happy', () => {
  test('a passkey is registered, signs in without an address or a password, and the user gets an email', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { options, expires_at: expiresAt } = await begin(session)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Winnow' },
      user: { name: email, displayName: 'Ada Lovelace' },
      attestation: 'none',
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(expiresAt - Date.now() / 1000).toBeGreaterThan(290)

    const { device, passkey } = await register(session, softAuthenticator({ synced: true, aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4' }))
    expect(passkey).toEqual({ id: expect.any(String), friendly_name: 'Google Password Manager' })
    expect(await emailsTo(email)).toContainEqual({ kind: 'passkey-added', data: expect.objectContaining({ name: passkey.friendly_name }) })

    const asked = await askToSignIn()
    expect(asked.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(asked.options).not.toHaveProperty('allowCredentials')
    const reply = await signIn(asked.challenge_id, device.get(asked.options))
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    const entered = sessionAnswer.parse(reply.json())
    expect(entered.user.email).toBe(email)
    expect(claimsOf(entered)).toMatchObject({ aal: 'aal1', amr: [{ method: 'passkey' }] })
    expect(claimsOf(entered).session_id).not.toBe(claimsOf(session).session_id)
    expect((await call('GET', '', undefined, bearer(entered))).json()).toEqual([
      {
        id: passkey.id,
        friendly_name: 'Google Password Manager',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        transports: ['internal'],
        backed_up: true,
      },
    ])
  })

  test('a passkey is renamed and removed, the user gets an email, and then it no longer works', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { device, passkey } = await register(session)
    const renamed = await call('PATCH', `/${passkey.id}`, { friendly_name: 'Laptop' }, bearer(session))
    expect([renamed.statusCode, renamed.json().friendly_name]).toEqual([200, 'Laptop'])
    const removed = await call('DELETE', `/${passkey.id}`, undefined, bearer(session))
    expect([removed.statusCode, removed.body]).toEqual([204, ''])
    expect(outcome(await enter(device))).toEqual(failed)
    expect(await emailsTo(email)).toContainEqual({ kind: 'passkey-removed', data: expect.objectContaining({ name: 'Laptop' }) })
    expect((await eventsOf(session.user.id)).map(({ action }) => action)).toEqual(['passkey_created', 'passkey_updated', 'passkey_deleted'])
  })

  test('an authenticator that counts signs in each time with a higher number', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session, softAuthenticator({ counts: true }))
    for (const _ of [1, 2]) expect((await enter(device)).statusCode).toBe(200)
    expect(await passkeysOf(session.user.id)).toMatchObject([{ signCount: 3 }])
  })

  test('a security key is named as one, and another passkey of the same account is not asked for again', async () => {
    const { session } = await signUpAndConfirm(app)
    const { passkey } = await register(session, softAuthenticator({ transports: ['usb', 'nfc', 'telepathy'] }))
    expect(passkey.friendly_name).toBe('Security key')
    const { options } = await begin(session)
    expect(options['excludeCredentials']).toMatchObject([{ type: 'public-key', transports: ['nfc', 'usb'] }])
  })

  test('with a second factor, a passkey is the first step of two', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    await factorClient(app).finish(session)
    const entered = sessionAnswer.parse((await enter(device)).json())
    expect(claimsOf(entered).aal).toBe('aal1')
    expect(entered.user.factors).toMatchObject([{ status: 'verified' }])
  })
})

describe('error', () => {
  test('what is asked for in a wrong way has its code', async () => {
    const { session } = await signUpAndConfirm(app)
    const headers = bearer(session)
    const { passkey } = await register(session)
    const cases: [method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object | undefined, expected: [number, string]][] = [
      ['POST', '/registration/verify', {}, [400, 'validation_failed']],
      ['POST', '/registration/verify', { challenge_id: newId() }, [400, 'validation_failed']],
      ['POST', '/registration/verify', { challenge_id: 'x', credential: {} }, [400, 'validation_failed']],
      ['POST', '/registration/verify', { challenge_id: newId(), credential: {} }, [400, 'webauthn_challenge_not_found']],
      ['POST', '/authentication/verify', {}, [400, 'validation_failed']],
      ['POST', '/authentication/verify', { challenge_id: newId(), credential: {} }, [400, 'webauthn_challenge_not_found']],
      ['PATCH', `/${passkey.id}`, {}, [400, 'validation_failed']],
      ['PATCH', `/${passkey.id}`, { friendly_name: 'x'.repeat(121) }, [400, 'validation_failed']],
      ['PATCH', `/${newId()}`, { friendly_name: 'x' }, [404, 'validation_failed']],
      ['PATCH', '/x', { friendly_name: 'x' }, [404, 'validation_failed']],
      ['DELETE', `/${newId()}`, undefined, [404, 'validation_failed']],
    ]
    for (const [method, path, body, expected] of cases)
      expect([path, outcome(await call(method, path, body, headers))]).toEqual([path, expected])
  })

  test('an eleventh passkey is refused', async () => {
    const { session } = await signUpAndConfirm(app)
    const late = await begin(session)
    for (let made = 0; made < 10; made++) {
      await forgetLimits()
      await register(session)
    }
    expect(outcome(await ask(session))).toEqual([422, 'too_many_passkeys'])
    const reply = await answer(session, late.challenge_id, softAuthenticator().create(late.options))
    expect(outcome(reply)).toEqual([422, 'too_many_passkeys'])
  })

  test('a challenge is good for five minutes', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const createdAt = new Date(Date.now() - 301_000)
    const { challenge_id: challengeId, options } = await askToSignIn()
    await db.deleteFrom('passkeyChallenges').where('id', '=', challengeId).execute()
    const challenge = Buffer.from(options.challenge, 'base64url')
    await insert(db, 'passkeyChallenges', { id: challengeId, sessionId: null, challenge, createdAt })
    expect(outcome(await signIn(challengeId, device.get(options)))).toEqual([400, 'webauthn_challenge_expired'])
  })

  test.each<[what: string, break_: (answer: ReturnType<ReturnType<typeof softAuthenticator>['get']>) => unknown]>([
    ['nothing of the shape', () => ({ id: 'x' })],
    ['a broken signature', (given) => ({ ...given, response: { ...given.response, signature: 'AAAA' } })],
    ['broken data', (given) => ({ ...given, response: { ...given.response, authenticatorData: 'AAAA' } })],
    ['no JSON', (given) => ({ ...given, response: { ...given.response, clientDataJSON: 'AAAA' } })],
    ['no holder', (given) => ({ ...given, response: { ...given.response, userHandle: undefined } })],
  ])('%s is refused as any other failure', async (_, broken) => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const { challenge_id: challengeId, options } = await askToSignIn()
    expect(outcome(await signIn(challengeId, broken(device.get(options))))).toEqual(failed)
  })
})

/** Responses that an attacker may present instead of the real authenticator's. */
const forgeries: [what: string, twist: Twist][] = [
  ['another site', { origin: 'https://evil.example' }],
  ['another port of this machine', { origin: 'http://localhost:3001' }],
  ['a frame of another site', { crossOrigin: true }],
  ['another relying party', { rpId: 'evil.example' }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['an authenticator that has not checked who uses it', { verified: false }],
]

describe('security', () => {
  test.each(forgeries)('a registration by %s is refused', async (_, twist) => {
    const { session } = await signUpAndConfirm(app)
    const { challenge_id: challengeId, options } = await begin(session)
    expect(outcome(await answer(session, challengeId, softAuthenticator().create(options, twist)))).toEqual(failed)
    expect(await passkeysOf(session.user.id)).toEqual([])
  })

  test.each(forgeries)('a sign-in by %s is refused', async (_, twist) => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    expect(outcome(await enter(device, twist))).toEqual(failed)
  })

  test.each<[what: string, twist: Twist]>([
    ['a statement about its maker', { format: 'fido-u2f', statement: [['x5c', []]] }],
    ['a certificate, whose addresses nobody here will follow', { format: 'packed', statement: [['x5c', []]] }],
    ['a statement of an unknown kind', { format: 'other' }],
    ['a key of a kind that was not asked for', { algorithm: -65535 }],
    ['an id that is longer than the standard allows', { credentialId: Buffer.alloc(1024, 1) }],
  ])('a new passkey with %s is refused', async (_, twist) => {
    const { session } = await signUpAndConfirm(app)
    const { challenge_id: challengeId, options } = await begin(session)
    expect(outcome(await answer(session, challengeId, softAuthenticator().create(options, twist)))).toEqual(failed)
  })

  test('a challenge counts once, right or wrong, and only for what it was made for', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const asked = await askToSignIn()
    const given = device.get(asked.options)
    expect((await signIn(asked.challenge_id, given)).statusCode).toBe(200)
    expect(outcome(await signIn(asked.challenge_id, given))).toEqual([400, 'webauthn_challenge_not_found'])

    const again = await askToSignIn()
    expect(outcome(await signIn(again.challenge_id, { id: 'x' }))).toEqual(failed)
    expect(outcome(await signIn(again.challenge_id, device.get(again.options)))).toEqual([400, 'webauthn_challenge_not_found'])

    const made = await begin(session)
    const instead = device.get({ rpId: 'localhost', challenge: made.options.challenge })
    expect(outcome(await signIn(made.challenge_id, instead))).toEqual([400, 'webauthn_challenge_not_found'])
  })

  test('of many concurrent requests with the same response one signs in', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const { challenge_id: challengeId, options } = await askToSignIn()
    const given = device.get(options)
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(challengeId, given)))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('a registration belongs to the session that began it', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { challenge_id: challengeId, options } = await begin(session)
    const made = softAuthenticator().create(options)
    for (const other of [await signInAgain(email), (await signUpAndConfirm(app)).session])
      expect(outcome(await answer(other, challengeId, made))).toEqual([400, 'webauthn_challenge_not_found'])
    expect((await answer(session, challengeId, made)).statusCode).toBe(200)
  })

  test('a counter that does not go up may be a copy: it is refused, and the log says so', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session, softAuthenticator({ counts: true }), { count: 7 })
    for (const count of [7, 6, 0]) expect(outcome(await enter(device, { count }))).toEqual(failed)
    expect((await enter(device, { count: 8 })).statusCode).toBe(200)
    const refused = (await eventsOf(session.user.id)).filter(({ action }) => action === 'passkey_refused')
    expect(refused).toMatchObject([{ detail: { counted: 7, expectedAbove: 7 } }, { detail: { counted: 6 } }, { detail: { counted: 0 } }])
  })

  test('a key that says another thing about backups than when it was made is refused', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    expect(outcome(await enter(device, { backupEligible: true }))).toEqual(failed)
  })

  test('a passkey opens the account of its holder and no other, whomever it names', async () => {
    const [mine, theirs] = [(await signUpAndConfirm(app)).session, (await signUpAndConfirm(app)).session]
    const { device } = await register(mine)
    expect(outcome(await enter(device, { userHandle: Buffer.from(theirs.user.id).toString('base64url') }))).toEqual(failed)
  })

  test('a passkey that fails is in the log as a failed sign-in of the account that it belongs to', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    expect(outcome(await enter(device, { userHandle: Buffer.from(session.user.id.toUpperCase()).toString('base64url') }))).toEqual(failed)
    const recorded = () =>
      db.selectFrom('auditEvents').select('detail').where('subjectId', '=', session.user.id).where('action', '=', 'login_failed').execute()
    await eventually(async () =>
      expect(await recorded()).toMatchObject([{ detail: { method: 'passkey', reason: 'webauthn_verification_failed' } }]),
    )
  })

  test('a credential that another account has is not taken', async () => {
    const [mine, theirs] = [(await signUpAndConfirm(app)).session, (await signUpAndConfirm(app)).session]
    const credentialId = Buffer.alloc(32, 7)
    await register(theirs, softAuthenticator(), { credentialId })
    const { challenge_id: challengeId, options } = await begin(mine)
    const reply = await answer(mine, challengeId, softAuthenticator().create(options, { credentialId }))
    expect(outcome(reply)).toEqual([422, 'webauthn_credential_exists'])
    expect(await passkeysOf(mine.user.id)).toEqual([])
  })

  test('other users’ passkeys can neither be seen nor renamed nor removed', async () => {
    const [mine, theirs] = [(await signUpAndConfirm(app)).session, (await signUpAndConfirm(app)).session]
    const { passkey } = await register(theirs)
    const headers = bearer(mine)
    expect(outcome(await call('PATCH', `/${passkey.id}`, { friendly_name: 'x' }, headers))).toEqual([404, 'validation_failed'])
    expect(outcome(await call('DELETE', `/${passkey.id}`, undefined, headers))).toEqual([404, 'validation_failed'])
    expect((await call('GET', '', undefined, headers)).json()).toEqual([])
    expect(await passkeysOf(theirs.user.id)).toMatchObject([{ friendlyName: passkey.friendly_name }])
  })

  test('a user with a second factor changes passkeys only after MFA', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { passkey } = await register(session)
    const { session: raised } = await factorClient(app).finish(session)
    const low = await signInAgain(email)
    const refused = [403, 'insufficient_aal']
    expect(outcome(await ask(low))).toEqual(refused)
    expect(outcome(await answer(low, newId(), { id: 'x' }))).toEqual(refused)
    expect(outcome(await call('PATCH', `/${passkey.id}`, { friendly_name: 'x' }, bearer(low)))).toEqual(refused)
    expect(outcome(await call('DELETE', `/${passkey.id}`, undefined, bearer(low)))).toEqual(refused)
    expect((await ask(raised)).statusCode).toBe(200)
  })

  test('an account with an unproven address gets no passkey, and an existing passkey is refused', async () => {
    const unproven = await sessionFor({ emailConfirmedAt: null })
    expect(outcome(await ask(unproven))).toEqual([403, 'email_not_confirmed'])
    const byPhone = await sessionFor({ email: null, phone: '4915112345679', phoneConfirmedAt: null })
    expect(outcome(await ask(byPhone))).toEqual([403, 'phone_not_confirmed'])

    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    await db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', session.user.id).execute()
    expect(outcome(await enter(device))).toEqual([403, 'email_not_confirmed'])
  })

  test('a banned or deleted user cannot sign in by a passkey', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device } = await register(session)
    const change = (columns: object) => db.updateTable('users').set(columns).where('id', '=', session.user.id).execute()
    await change({ bannedUntil: new Date(Date.now() + 60_000) })
    expect(outcome(await enter(device))).toEqual([403, 'user_banned'])
    await change({ bannedUntil: null, deletedAt: new Date() })
    expect(outcome(await enter(device))).toEqual(failed)
  })

  test('the key of a second factor is not a passkey', async () => {
    const { session } = await signUpAndConfirm(app)
    const { device, passkey } = await register(session)
    const factor = await insert(db, 'mfaFactors', { userId: session.user.id, factorType: 'webauthn', status: 'verified' })
    await db.updateTable('webauthnCredentials').set({ factorId: factor.id }).where('id', '=', passkey.id).execute()
    expect(outcome(await enter(device))).toEqual(failed)
  })
})
