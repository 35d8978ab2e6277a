import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SECURITY_MANUAL_LINKING_ENABLED = 'true'
})

import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from './session-front.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, VERSION } from '#test/auth.ts'
import { softAuthenticator } from '#test/authenticator.ts'
import { browser } from '#test/browser.ts'
import { emailsTo } from '#test/emails.ts'
import { factorClient, forgetSteps } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

type Member = Awaited<ReturnType<typeof signedIn>>

/** An owner who has signed in on our own pages. */
async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  await db
    .updateTable('users')
    .set({ appMetadata: JSON.stringify({ role: 'owner' }) })
    .where('email', '=', email)
    .execute()
  const from = browser(app)
  const signIn = { method: 'POST', url: '/auth/v1/token?grant_type=password', headers: { [OWN_PAGES_HEADER]: '1' } } as const
  const session = (await from.send({ ...signIn, payload: { email, password: PASSWORD } })).json()
  const auth = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    from.send({
      method,
      url: `/auth/v1${path}`,
      headers: { [OWN_PAGES_HEADER]: '1', ...VERSION, ...bearer(session) },
      ...(payload && { payload }),
    })
  const api = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    from.send({ method, url: `/api${path}`, ...(payload && { payload }) })
  return { email, from, session, userId: String(session.user.id), auth, api }
}

/** Simulates a sign-in sixteen minutes ago. */
async function later({ userId }: { userId: string }) {
  await sql`
    UPDATE sessions SET created_at = created_at - interval '16 minutes', amr = (
      SELECT jsonb_agg(step || jsonb_build_object('timestamp', (step->>'timestamp')::bigint - 960)) FROM jsonb_array_elements(amr) AS step)
    WHERE user_id = ${userId}`.execute(db)
}

const LINK = { provider: 'google', id_token: 'x', link_identity: true }

/** Every sensitive change that our pages offer, as they ask for it. */
const sensitive: [name: string, change: (member: Member) => Promise<{ statusCode: number; json: () => { code?: string } }>][] = [
  ['a new address', ({ auth }) => auth('PUT', '/user', { email: `${newId()}@example.com` })],
  ['a second factor', ({ auth }) => auth('POST', '/factors', { factor_type: 'totp' })],
  ['a passkey', ({ auth }) => auth('POST', '/passkeys/registration/options', {})],
  ['the removal of a passkey', ({ auth }) => auth('DELETE', `/passkeys/${newId()}`)],
  ['another service’s account by its ID token', ({ auth }) => auth('POST', '/token?grant_type=id_token', LINK)],
  ['another service’s account by its sign-in page', ({ auth }) => auth('GET', '/user/identities/authorize?provider=google')],
  ['the removal of a sign-in method', ({ auth }) => auth('DELETE', `/user/identities/${newId()}`)],
  ['an API key', ({ api }) => api('POST', '/keys', { name: 'Nightly', productIds: null, expiresInDays: 30 })],
  ['another key in its place', ({ api }) => api('POST', `/keys/${newId()}/rotate`, { overlapHours: 24 })],
  ['the deletion of the account', ({ api, email }) => api('POST', '/account/deletion', { confirm: `not ${email}` })],
  ['an invitation', ({ api }) => api('POST', '/admin/users/invite', { email: `${newId()}@example.com`, role: 'staff' })],
  ['a role', ({ api }) => api('PATCH', `/admin/users/${newId()}`, { role: 'staff' })],
  ['the deletion of another account', ({ api }) => api('DELETE', `/admin/users/${newId()}`)],
  ['the answer to a request for staff access', ({ api }) => api('POST', `/admin/access-requests/${newId()}`, { decision: 'grant' })],
  ['a ban', ({ api }) => api('POST', `/admin/users/${newId()}/ban`, { days: 1, reason: 'Spam' })],
  ['the end of a ban', ({ api }) => api('DELETE', `/admin/users/${newId()}/ban`)],
  ['the end of another person’s session', ({ api }) => api('DELETE', `/admin/users/${newId()}/sessions/${newId()}`)],
  ['the end of all sessions of another person', ({ api }) => api('DELETE', `/admin/users/${newId()}/sessions`)],
  ['the removal of test payments', ({ api }) => api('POST', '/admin/billing/test-data/remove', { orders: 0 })],
  ['the end of a session', ({ api }) => api('DELETE', `/account/sessions/${newId()}`)],
  ['the end of all other sessions', ({ auth }) => auth('POST', '/logout?scope=others')],
  ['the end of all sessions', ({ auth }) => auth('POST', '/logout?scope=global')],
]

const codes = async (member: Member) => {
  const found: string[] = []
  for (const [name, change] of sensitive) {
    const reply = await change(member)
    if (reply.statusCode >= 400 && reply.json().code === 'recent_sign_in_required') found.push(name)
  }
  return found
}

describe('happy', () => {
  test('within 15 minutes of signing in every sensitive change is open', async () => {
    expect(await codes(await signedIn())).toEqual([])
  })

  test('the password opens sensitive changes again, for 15 minutes', async () => {
    const member = await signedIn()
    await later(member)
    expect((await member.api('GET', '/account/confirmation')).json()).toEqual({
      isFresh: false,
      secondStep: false,
      password: true,
      code: 'email',
    })
    expect((await member.api('POST', '/account/confirmation', { password: PASSWORD })).statusCode).toBe(204)
    expect((await member.api('GET', '/account/confirmation')).json().isFresh).toBe(true)
    expect((await member.auth('POST', '/factors', { factor_type: 'totp' })).statusCode).toBe(200)
    await later(member)
    expect((await member.auth('POST', '/factors', { factor_type: 'totp', friendly_name: 'Two' })).json().code).toBe(
      'recent_sign_in_required',
    )
  })

  test('so does a code that is sent to one’s own address, once', async () => {
    const member = await signedIn()
    await later(member)
    expect((await member.api('POST', '/account/confirmation/code')).statusCode).toBe(204)
    const code = (await emailsTo(member.email)).findLast(({ kind }) => kind === 'reauthentication')?.data.code
    const typed = ` ${String(code).slice(0, 3)} ${String(code).slice(3)} `
    expect((await member.api('POST', '/account/confirmation', { code: typed })).statusCode).toBe(204)
    expect(await codes(member)).toEqual([])
    const other = await signedIn()
    expect((await other.api('POST', '/account/confirmation', { code })).json().code).toBe('reauthentication_not_valid')
  })

  test('a person with a second factor confirms with it', async () => {
    const member = await signedIn()
    const { begin, pass } = factorClient(app)
    const factor = await begin(member.session)
    await pass(member.session, factor)
    await later(member)
    expect((await member.auth('DELETE', `/factors/${factor.id}`)).json().code).toBe('recent_sign_in_required')
    expect((await member.api('POST', '/account/confirmation', { password: PASSWORD })).json().code).toBe('insufficient_aal')
    await forgetSteps()
    const { id } = (await member.auth('POST', `/factors/${factor.id}/challenge`, {})).json()
    const verified = await member.auth('POST', `/factors/${factor.id}/verify`, { challenge_id: id, code: codeOf(factor.secret) })
    expect(verified.statusCode).toBe(200)
    expect((await member.auth('DELETE', `/factors/${factor.id}`)).statusCode).toBe(200)
  })

  test('the old password with the new one is confirmation enough for a new password', async () => {
    const member = await signedIn()
    await later(member)
    const wrong = await member.auth('PUT', '/user', { password: 'another horse', current_password: 'a wrong horse' })
    expect(wrong.json().code).toBe('current_password_invalid')
    expect((await member.auth('PUT', '/user', { password: 'another horse', current_password: PASSWORD })).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('a wrong password or code confirms nothing, and guesses are slowed down as at sign-in', async () => {
    const member = await signedIn()
    await later(member)
    expect((await member.api('POST', '/account/confirmation', { password: 'wrong' })).statusCode).toBe(400)
    expect((await member.api('POST', '/account/confirmation', { code: '000000' })).statusCode).toBe(422)
    expect((await member.api('POST', '/account/confirmation', {})).statusCode).toBe(422)
    expect((await member.api('GET', '/account/confirmation')).json().isFresh).toBe(false)
    const guesses = []
    for (let n = 0; n < 24; n += 1) guesses.push((await member.api('POST', '/account/confirmation', { password: 'wrong' })).statusCode)
    expect(guesses.at(-1)).toBe(429)
  })
})

describe('security', () => {
  test('wrong codes that strangers type for an address do not stop its person from confirming who they are', async () => {
    const member = await signedIn()
    await later(member)
    expect((await member.api('POST', '/account/confirmation/code')).statusCode).toBeLessThan(300)
    const { data } = (await emailsTo(member.email)).findLast(({ kind }) => kind === 'reauthentication') ?? {}
    for (let guess = 0; guess < 6; guess += 1) await call('POST', '/verify', { type: 'email', email: member.email, token: '000000' })
    expect((await member.api('POST', '/account/confirmation', { code: String(data.code) })).statusCode).toBeLessThan(300)
    expect((await member.api('GET', '/account/confirmation')).json().isFresh).toBe(true)
  })

  test('a signed-in person has five tries an hour at the code, wherever they type it', async () => {
    const member = await signedIn()
    const wrong = async () => (await member.api('POST', '/account/confirmation', { code: '000000' })).statusCode
    const statuses = []
    for (let guess = 0; guess < 6; guess += 1) statuses.push(await wrong())
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  test('16 minutes after signing in no sensitive change is open on our pages', async () => {
    const member = await signedIn()
    await later(member)
    expect(await codes(member)).toEqual(sensitive.map(([name]) => name))
    expect((await member.api('GET', '/keys')).json()).toEqual([])
    expect(await db.selectFrom('sessions').select('id').where('userId', '=', member.userId).execute()).toHaveLength(2)
    expect(member.from.cookies.size).toBe(2)
  })

  test.each([
    ['an authenticator', 'totp'],
    ['a security key', 'webauthn'],
  ])('%s that was begun earlier is finished only after confirming again, with the same answer', async (_, type) => {
    const member = await signedIn()
    const { id, totp } = (await member.auth('POST', '/factors', { factor_type: type })).json()
    const ask = async () => (await member.auth('POST', `/factors/${id}/challenge`, {})).json()
    const asked = await ask()
    await later(member)
    const made = () => softAuthenticator().create(asked.webauthn.credential_options.publicKey)
    const proof = totp ? { code: codeOf(totp.secret) } : { webauthn: { type: 'create', credential_response: made() } }
    const finish = () => member.auth('POST', `/factors/${id}/verify`, { challenge_id: asked.id, ...proof })
    expect([(await ask()).code, (await finish()).json().code]).toEqual(['recent_sign_in_required', 'recent_sign_in_required'])
    expect((await member.api('POST', '/account/confirmation', { password: PASSWORD })).statusCode).toBe(204)
    const finished = await finish()
    expect([finished.statusCode, finished.json().code]).toEqual([200, undefined])
  })

  test('leaving out the header of our pages changes nothing: the session itself knows where it began', async () => {
    const member = await signedIn()
    await later(member)
    const reply = await call('POST', '/factors', { factor_type: 'totp' }, bearer(member.session))
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'recent_sign_in_required'])
  })

  test('a session that our pages renew counts as theirs, also one from before this rule', async () => {
    const member = await signedIn()
    await db.updateTable('sessions').set({ ownPages: false }).where('userId', '=', member.userId).execute()
    const renew = { method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', headers: { [OWN_PAGES_HEADER]: '1' } } as const
    expect((await member.from.send({ ...renew, payload: { refresh_token: HELD_BY_SERVER } })).statusCode).toBe(200)
    await later(member)
    expect((await member.auth('POST', '/factors', { factor_type: 'totp' })).json().code).toBe('recent_sign_in_required')
  })

  test('other programs keep the behavior of the auth protocol', async () => {
    const { session } = await signUpAndConfirm(app)
    await later({ userId: session.user.id })
    expect((await call('POST', '/factors', { factor_type: 'totp' }, bearer(session))).statusCode).toBe(200)
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(session))).statusCode).toBe(200)
  })
})
