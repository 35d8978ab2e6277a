import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { adminClient } from '#test/admin.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { makeOwner } from '#test/factories.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'

const app = await startEndpoints()
const call = authClient(app)
const admin = await adminClient(app)
beforeEach(async () => {
  await forgetLimits()
  await makeOwner()
})

const generate = (body: object) => admin('POST', '/admin/generate_link', body)

describe('happy', () => {
  test('a sign-up link creates the account, works once, and sends no email', async () => {
    const email = someEmail()
    const made = (await generate({ type: 'signup', email, password: PASSWORD, data: { first_name: 'Ada' } })).json()
    expect(made).toMatchObject({
      email,
      verification_type: 'signup',
      redirect_to: 'http://localhost:3000',
      user_metadata: { first_name: 'Ada' },
    })
    const link = new URL(made.action_link)
    expect(link.href).toMatch(/^http:\/\/localhost:3000\/auth\/v1\/verify\?token=/)
    expect([link.searchParams.get('token'), link.searchParams.get('type')]).toEqual([made.hashed_token, 'signup'])
    const opened = await app.inject({ url: link.pathname + link.search })
    expect([opened.statusCode, opened.body]).toEqual([200, expect.stringMatching(/<form [^>]*method="post"/)])
    expect((await call('POST', '/verify', { type: 'signup', token_hash: made.hashed_token })).statusCode).toBe(200)
    expect((await call('POST', '/verify', { type: 'signup', token_hash: made.hashed_token })).statusCode).toBe(403)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
    expect(await emailsTo(email)).toEqual([])
  })

  test('a magic link and one for a new password sign in by link or code', async () => {
    for (const type of ['magiclink', 'recovery']) {
      const { email } = await signUpAndConfirm(app)
      const byCode = (await generate({ type, email })).json()
      expect((await call('POST', '/verify', { type, email, token: byCode.email_otp })).statusCode).toBe(200)
      const byLink = (await generate({ type, email })).json()
      expect(byLink.verification_type).toBe(type)
      expect((await call('POST', '/verify', { type, token_hash: byLink.hashed_token })).statusCode).toBe(200)
    }
  })

  test('a stranger who signs up with an invited address neither voids the invitation nor brings a password into the account', async () => {
    const guest = someEmail()
    const invited = (await generate({ type: 'invite', email: guest })).json()
    const stranger = 'horse of a stranger'
    expect((await call('POST', '/signup', { email: guest, password: stranger })).statusCode).toBe(200)
    expect((await call('POST', '/verify', { type: 'invite', token_hash: invited.hashed_token })).statusCode).toBe(200)
    const entered = await call('POST', '/token?grant_type=password', { email: guest, password: stranger })
    expect([entered.statusCode, entered.json().code]).toEqual([400, 'invalid_credentials'])
  })

  test('for an address without an account a magic link signs up, and an invitation invites', async () => {
    const [email, guest] = [someEmail(), someEmail()]
    expect((await generate({ type: 'magiclink', email })).json()).toMatchObject({ email, verification_type: 'signup' })
    const invited = (await generate({ type: 'invite', email: guest })).json()
    expect(invited.invited_at).toBeDefined()
    expect((await call('POST', '/verify', { type: 'invite', token_hash: invited.hashed_token })).statusCode).toBe(200)
  })

  test('a change of address has a link for either address', async () => {
    const { email } = await signUpAndConfirm(app)
    const fresh = someEmail()
    for (const type of ['email_change_current', 'email_change_new']) {
      const made = (await generate({ type, email, new_email: fresh })).json()
      expect(made).toMatchObject({ email, new_email: fresh, verification_type: type })
      expect(new URL(made.action_link).searchParams.get('type')).toBe('email_change')
    }
    const kinds = await db
      .selectFrom('oneTimeTokens')
      .select(['kind', 'sentTo'])
      .where('sentTo', 'in', [email, fresh])
      .orderBy('kind')
      .execute()
    expect(kinds).toEqual([
      { kind: 'email_change_current', sentTo: email },
      { kind: 'email_change_new', sentTo: fresh },
    ])
  })

  test('the link leads to the requested target, if it is allowed', async () => {
    const { email } = await signUpAndConfirm(app)
    const allowed = (await generate({ type: 'recovery', email, redirect_to: 'http://localhost:3000/welcome?a=1&b=2' })).json()
    expect(allowed.redirect_to).toBe('http://localhost:3000/welcome?a=1&b=2')
    expect(new URL(allowed.action_link).searchParams.get('redirect_to')).toBe('http://localhost:3000/welcome?a=1&b=2')
    expect((await generate({ type: 'recovery', email, redirect_to: 'https://evil.example' })).json().redirect_to).toBe(
      'http://localhost:3000',
    )
  })

  test('an invitation is an email whose link leads to the choice of a password', async () => {
    const email = someEmail()
    const invited = await admin('POST', '/invite?redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fwelcome', {
      email,
      data: { first_name: 'Ada' },
    })
    expect(invited.json()).toMatchObject({ email, user_metadata: { first_name: 'Ada' } })
    expect(invited.json().invited_at).toBeDefined()
    expect((await admin('POST', '/invite', { email })).statusCode).toBe(200)
    const emails = await emailsTo(email)
    expect(emails.map(({ kind }) => kind)).toEqual(['invite', 'invite'])
    expect(emails[0]?.data.target).toBe('http://localhost:3000/welcome')
    const { code } = await secretsOf(email, 'invite')
    expect((await call('POST', '/verify', { type: 'invite', email, token: code })).statusCode).toBe(200)
    expect((await admin('POST', '/invite', { email })).json().code).toBe('email_exists')
  })
})

describe('error', () => {
  test.each([
    [{ type: 'sms', email: 'x@example.com' }, 400, 'validation_failed'],
    [{ email: 'x@example.com' }, 400, 'validation_failed'],
    [{ type: 'recovery' }, 400, 'validation_failed'],
    [{ type: 'recovery', email: 'ada' }, 400, 'validation_failed'],
    [{ type: 'recovery', email: 'nobody@example.com' }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: 'nobody@example.com', new_email: 'x@example.com' }, 404, 'user_not_found'],
    [{ type: 'email_change_new', email: 'nobody@example.com' }, 400, 'validation_failed'],
    [{ type: 'signup', email: 'x@example.com' }, 400, 'validation_failed'],
    [{ type: 'signup', email: 'x@example.com', password: '12345' }, 422, 'weak_password'],
  ])('%j is refused', async (body, status, code) => {
    const reply = await generate(body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('a confirmed address gets no sign-up link or invitation, and a taken address no change link', async () => {
    const [{ email }, other] = [await signUpAndConfirm(app), await signUpAndConfirm(app)]
    for (const body of [
      { type: 'signup', email, password: PASSWORD },
      { type: 'invite', email },
      { type: 'email_change_new', email, new_email: other.email },
    ]) {
      const reply = await generate(body)
      expect([reply.statusCode, reply.json().code]).toEqual([422, 'email_exists'])
    }
  })

  test('an invitation needs an address', async () => {
    expect((await admin('POST', '/invite', {})).statusCode).toBe(400)
    expect((await admin('POST', '/invite', { email: 'ada' })).json().code).toBe('validation_failed')
  })
})

describe('security', () => {
  test('a link replaces the earlier one, and neither is in the audit log', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const first = (await generate({ type: 'recovery', email })).json()
    const second = (await generate({ type: 'recovery', email })).json()
    expect((await call('POST', '/verify', { type: 'recovery', token_hash: first.hashed_token })).statusCode).toBe(403)
    expect((await call('POST', '/verify', { type: 'recovery', token_hash: second.hashed_token })).statusCode).toBe(200)
    const events = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', session.user.id).execute()
    expect(events.filter(({ action }) => action === 'user_recovery_requested')).toHaveLength(2)
    for (const secret of [first.hashed_token, second.hashed_token, email]) expect(JSON.stringify(events)).not.toContain(secret)
  })
})
