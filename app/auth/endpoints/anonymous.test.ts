import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.EXTERNAL_ANONYMOUS_USERS_ENABLED = 'true'
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
  process.env.RATE_LIMIT_ANONYMOUS_USERS = '20'
})

import { AuthClient } from '@supabase/auth-js'
import { sql } from 'kysely'
import { db, newId } from '#app/platform/database/db.server.ts'
import { jobKinds } from '#app/platform/jobs.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { adminClient } from '#test/admin.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, someEmail, tally } from '#test/auth.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startEndpoints()
const call = authClient(app)
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/auth/v1`
beforeEach(forgetLimits)

async function someone(data?: object) {
  const reply = await call('POST', '/signup', { ...(data && { data }) })
  expect(reply.statusCode).toBe(200)
  return sessionAnswer.parse(reply.json())
}

const claimsOf = ({ access_token }: { access_token: string }) =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())

describe('happy', () => {
  test('the word of the operator makes the account last: it is listed, and survives thirty days without a visit', async () => {
    const admin = await adminClient(app)
    const { user } = await someone()
    const email = someEmail()
    const changed = (await admin('PUT', `/admin/users/${user.id}`, { email, email_confirm: true, password: PASSWORD })).json()
    expect([changed.is_anonymous, changed.email]).toEqual([false, email])
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000)
    await sql`UPDATE users SET created_at = ${longAgo} WHERE id = ${user.id}`.execute(db)
    await db.updateTable('sessions').set({ refreshedAt: longAgo }).where('userId', '=', user.id).execute()
    await jobKinds()
      .get('identity-housekeeping')
      ?.run(null, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })
    expect((await directory.listUsers({ search: email })).users.map(({ id }) => id)).toEqual([user.id])
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('someone signs in without an address, with exactly the profile that they give', async () => {
    const session = await someone({ colour: 'green' })
    expect(session.user).toMatchObject({
      is_anonymous: true,
      email: '',
      phone: '',
      app_metadata: {},
      user_metadata: { colour: 'green' },
      identities: [],
    })
    expect(claimsOf(session)).toMatchObject({ is_anonymous: true, role: 'authenticated', amr: [{ method: 'anonymous' }] })
    expect((await call('GET', '/settings')).json().external.anonymous_users).toBe(true)
  })

  test('the client of the protocol does the same', async () => {
    const client = new AuthClient({ url, autoRefreshToken: false, persistSession: false })
    const { data } = await client.signInAnonymously({ options: { data: { colour: 'red' } } })
    expect(data.user).toMatchObject({ is_anonymous: true, user_metadata: { colour: 'red' } })
  })

  test('an address that they prove makes the account last, and then a password can be set', async () => {
    const session = await someone()
    const email = someEmail()
    const asked = await call('PUT', '/user', { email }, bearer(session))
    expect([asked.statusCode, asked.json().new_email, asked.json().is_anonymous]).toEqual([200, email, true])
    const { code } = await secretsOf(email, 'email-change-new')
    const kept = sessionAnswer.parse((await call('POST', '/verify', { type: 'email_change', email, token: code })).json())
    expect(kept.user).toMatchObject({
      id: session.user.id,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email', email }],
    })
    expect(claimsOf(kept).is_anonymous).toBe(false)
    expect((await call('PUT', '/user', { password: PASSWORD }, bearer(kept))).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('so does a number', async () => {
    const session = await someone()
    const phone = '4915110009999'
    expect((await call('PUT', '/user', { phone }, bearer(session))).statusCode).toBe(200)
    const [email] = await emailsTo(`${phone}@phone.localhost`)
    const kept = sessionAnswer.parse((await call('POST', '/verify', { type: 'phone_change', phone, token: email?.data.code })).json())
    expect(kept.user).toMatchObject({ id: session.user.id, phone, is_anonymous: false, app_metadata: { provider: 'phone' } })
  })
})

describe('error', () => {
  test('a password without an address would lock them out', async () => {
    const reply = await call('PUT', '/user', { password: PASSWORD }, bearer(await someone()))
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'validation_failed'])
  })

  test('there is nowhere to send a code to', async () => {
    const reply = await call('GET', '/reauthenticate', undefined, bearer(await someone()))
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { code: 'validation_failed', message: 'Reauthentication requires the user to have an email or a phone number' },
    ])
  })
})

describe('security', () => {
  test('one visitor gets the configured number of accounts an hour, also for concurrent requests', async () => {
    expect(tally(await twoAtOnce(50, () => call('POST', '/signup', {})))).toEqual({ 200: 20, 429: 30 })
    const over = await call('POST', '/signup', {})
    expect(over.json().code).toBe('over_request_rate_limit')
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(3500)
    // The limit does not apply to accounts with an address.
    expect((await call('POST', '/signup', { email: someEmail(), password: PASSWORD })).statusCode).toBe(200)
  })

  test('an account without an address never becomes the owner', async () => {
    await db.updateTable('installation').set({ ownerId: null }).execute()
    const session = await someone()
    expect(session.user.app_metadata).toEqual({})
    expect((await app.inject({ url: '/api/contacts', headers: bearer(session) })).statusCode).toBe(403)
  })
})
