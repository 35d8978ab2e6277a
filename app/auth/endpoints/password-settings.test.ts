import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION = 'true'
  process.env.SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD = 'true'
  process.env.PASSWORD_REQUIRED_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz:0123456789'
  process.env.PASSWORD_HIBP_ENABLED = 'true'
})

import { sql } from 'kysely'
import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)

const OLD = 'correct horse 1'
const NEW = 'another horse 2'
const LEAKED = 'a leaked horse 3'

let asked: string[] = []
/** A fake service for leaked passwords. */
let leaks = () => new Response(`${'0'.repeat(35)}:3\r\n${sha1(LEAKED).slice(5)}:17\r\n${sha1(NEW).slice(5)}:0`)
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()

beforeEach(async () => {
  await forgetLimits()
  asked = []
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (input: string | URL | Request, init?: RequestInit) => {
    const { url } = new Request(input)
    if (!url.startsWith('https://api.pwnedpasswords.com/')) return fetch(input, init)
    asked.push(url)
    return leaks()
  })
})
afterEach(() => vi.unstubAllGlobals())

/** A user signed in by password. */
async function signedIn() {
  const { email, session: first } = await signUpAndConfirm(app, someEmail(), OLD)
  const session = sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password: OLD })).json())
  await forgetLimits()
  return { email, session, first }
}

const change = (session: { access_token: string }, body: object) => call('PUT', '/user', { password: NEW, ...body }, bearer(session))
const age = () => sql`UPDATE sessions SET created_at = now() - interval '25 hours'`.execute(db)

async function nonceFor({ email, session }: { email: string; session: { access_token: string } }): Promise<string> {
  expect((await call('GET', '/reauthenticate', undefined, bearer(session))).json()).toEqual({})
  return (await emailsTo(email)).findLast(({ kind }) => kind === 'reauthentication')?.data.code
}

describe('happy', () => {
  test('in a fresh session the old password is enough', async () => {
    const { email, session } = await signedIn()
    expect((await change(session, { current_password: OLD })).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { email, password: NEW })).statusCode).toBe(200)
  })

  test('after a day a code is required as well, and it works once', async () => {
    const someone = await signedIn()
    await age()
    const nonce = await nonceFor(someone)
    expect((await change(someone.session, { current_password: OLD, nonce })).statusCode).toBe(200)
    const again = await change(someone.session, { password: OLD, current_password: NEW, nonce })
    expect([again.statusCode, again.json().code]).toEqual([422, 'reauthentication_not_valid'])
  })

  test('a user who signed in by an email needs no old password: they may have forgotten it', async () => {
    const { first } = await signedIn()
    expect((await change(first, {})).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('the old password is missing, or wrong', async () => {
    const { session } = await signedIn()
    const missing = await change(session, {})
    expect([missing.statusCode, missing.json().code]).toEqual([400, 'current_password_required'])
    const wrong = await change(session, { current_password: 'wrong horse 9' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'current_password_invalid'])
  })

  test('the code is missing, wrong, or another one’s', async () => {
    const [ada, eve] = [await signedIn(), await signedIn()]
    await age()
    const missing = await change(ada.session, { current_password: OLD })
    expect([missing.statusCode, missing.json().code]).toEqual([400, 'reauthentication_needed'])
    const nonce = await nonceFor(eve)
    const foreign = await change(ada.session, { current_password: OLD, nonce })
    expect([foreign.statusCode, foreign.json().code]).toEqual([422, 'reauthentication_not_valid'])
  })

  test('a second code must wait, and requests without a session are refused', async () => {
    const { session } = await signedIn()
    expect((await call('GET', '/reauthenticate', undefined, bearer(session))).statusCode).toBe(200)
    const soon = await call('GET', '/reauthenticate', undefined, bearer(session))
    expect([soon.statusCode, soon.json().code]).toEqual([429, 'over_email_send_rate_limit'])
    expect((await call('GET', '/reauthenticate')).json().code).toBe('no_authorization')
    await db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', session.user.id).execute()
    const unconfirmed = await call('GET', '/reauthenticate', undefined, bearer(session))
    expect([unconfirmed.statusCode, unconfirmed.json().code]).toEqual([422, 'email_not_confirmed'])
  })

  test('a new password needs characters of each group, and must not have leaked; every reason is told', async () => {
    const weak = await call('POST', '/signup', { email: someEmail(), password: 'abc' })
    expect([weak.statusCode, weak.json().weak_password]).toEqual([422, { reasons: ['length', 'characters'] }])
    const leaked = await call('POST', '/signup', { email: someEmail(), password: LEAKED })
    expect([leaked.statusCode, leaked.json().weak_password]).toEqual([422, { reasons: ['pwned'] }])
    expect((await call('POST', '/signup', { email: someEmail(), password: NEW })).statusCode).toBe(200)
  })

  test('a password that was good enough before signs in, and the answer says what it lacks', async () => {
    const { email, session } = await signedIn()
    const passwordHash = await hashing.hashPassword('horse battery')
    await db.updateTable('users').set({ passwordHash }).where('id', '=', session.user.id).execute()
    const reply = await call('POST', '/token?grant_type=password', { email, password: 'horse battery' })
    expect([reply.statusCode, reply.json().weak_password.reasons]).toEqual([200, ['characters']])
  })
})

describe('security', () => {
  test('guesses at the old password are limited like sign-ins, before anything is hashed', async () => {
    const { session } = await signedIn()
    const before = hashing.hashCount
    const replies = await Promise.all(Array.from({ length: 30 }, () => change(session, { current_password: 'wrong horse 9' })))
    // Ten are free and the eleventh starts the pauses; the same again for addresses with an earlier sign-in.
    const { 400: tried = 0, 429: refused = 0 } = tally(replies)
    expect(tried + refused).toBe(30)
    // On a busy machine the hashing outlasts the first pause, so that another one is free.
    expect(tried).toBeGreaterThanOrEqual(22)
    expect(refused).toBeGreaterThanOrEqual(6)
    expect(hashing.hashCount - before).toBe(tried)
  })

  test('five guesses at a code', async () => {
    const someone = await signedIn()
    await age()
    const nonce = await nonceFor(someone)
    const wrong = nonce === '000000' ? '000001' : '000000'
    const replies = await Promise.all(Array.from({ length: 8 }, () => change(someone.session, { current_password: OLD, nonce: wrong })))
    expect(tally(replies)).toEqual({ 422: 5, 429: 3 })
    await forgetLimits()
    expect((await change(someone.session, { current_password: OLD, nonce })).json().code).toBe('reauthentication_not_valid')
  })

  test('the service for leaks gets five digits of a hash, and any password is accepted when it is down', async () => {
    leaks = () => new Response('', { status: 503 })
    expect((await call('POST', '/signup', { email: someEmail(), password: LEAKED })).statusCode).toBe(200)
    expect(asked).toEqual([`https://api.pwnedpasswords.com/range/${sha1(LEAKED).slice(0, 5)}`])
    leaks = () => new Response('x'.repeat(300_000))
    expect((await call('POST', '/signup', { email: someEmail(), password: NEW })).statusCode).toBe(200)
  })
})
