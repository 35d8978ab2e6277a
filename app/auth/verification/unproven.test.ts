import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { db, insert } from '#app/platform/database/db.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser, signIn } from '#test/factories.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const someNumber = () => `49151${randomInt(1e8, 1e9)}`

/** An account with an unproven address. A stranger signed in to it from another service, has a session and added their own factors. */
async function makeUnproven(email: string) {
  const user = await makeUser({ email, emailConfirmedAt: null, newEmail: someEmail(), newPhone: someNumber() })
  const elsewhere = { userId: user.id, providerId: `stranger-${user.id}`, identityData: '{}' }
  await insert(db, 'identities', { ...elsewhere, provider: 'github' })
  await insert(db, 'sessions', { userId: user.id })
  await insert(db, 'mfaFactors', { userId: user.id, factorType: 'phone', status: 'verified', phone: someNumber() })
  await insert(db, 'recoveryCodes', { userId: user.id, codeHash: randomBytes(32) })
  await insert(db, 'webauthnCredentials', { userId: user.id, credentialId: randomBytes(16), publicKey: randomBytes(16) })
  return user
}

/** The emails that lead the owner of the address to the account. */
const emails = {
  'a forgotten password': {
    kind: 'reset-password',
    type: 'recovery',
    ask: (email: string) => browser(app).post('/login/forgot-password', { email }),
  },
  'an invitation': { kind: 'invite', type: 'invite', ask: (email: string) => directory.inviteUser(email, 'customer', {}) },
}

test.each(Object.entries(emails))(
  'a proof of the address by %s removes all sign-in methods of a stranger',
  async (_, { kind, type, ask }) => {
    const email = someEmail()
    const { id } = await makeUnproven(email)
    await ask(email)
    await eventually(async () => expect((await emailsTo(email)).at(-1)?.kind).toBe(kind))
    const { link } = await secretsOf(email, kind)
    const fields = { token_hash: link, password: 'a long enough one', confirmPassword: 'a long enough one' }
    const reply = await browser(app).post(`/login/new-password?token_hash=${link}&type=${type}`, fields)
    expect(reply.headers.location).toContain('notice=new-password')
    const ways = await db.selectFrom('identities').select('provider').where('userId', '=', id).execute()
    expect(ways).toEqual([{ provider: 'email' }])
    for (const table of ['sessions', 'mfaFactors', 'recoveryCodes', 'webauthnCredentials'] as const) {
      expect([table, await db.selectFrom(table).select('id').where('userId', '=', id).execute()]).toEqual([table, []])
    }
    const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(user.appMetadata).toMatchObject({ provider: 'email', providers: ['email'] })
    expect([user.newEmail, user.newPhone]).toEqual([null, null])
  },
)

test.each([
  ['of an unconfirmed address', { emailConfirmedAt: null }],
  ['of an auto-confirmed address', { emailAssumed: true }],
])('a sign-in link is a first proof %s and removes sign-in methods that a stranger linked before', async (_what, columns) => {
  const email = someEmail()
  const { id } = await makeUser({ email, ...columns })
  await insert(db, 'identities', { userId: id, provider: 'github', providerId: `stranger-${id}`, identityData: '{}', joinedUnproven: true })
  await call('POST', '/otp', { email })
  const { link } = await secretsSoon(email, 'sign-in')
  expect((await call('POST', '/verify', { type: 'email', token_hash: link })).statusCode).toBe(200)
  expect(await db.selectFrom('identities').select('provider').where('userId', '=', id).execute()).toEqual([{ provider: 'email' }])
})

test('an email requested after an invitation also removes the stranger’s sign-in methods', async () => {
  const email = someEmail()
  const { id } = await makeUnproven(email)
  await directory.inviteUser(email, 'staff', {})
  await call('POST', '/resend', { type: 'signup', email })
  const { link } = await secretsSoon(email, 'confirm-address')
  expect((await browser(app).post(`/login/confirm?token_hash=${link}`, { token_hash: link })).headers.location).toContain(
    'notice=confirmed',
  )
  expect(await db.selectFrom('identities').select('provider').where('userId', '=', id).execute()).toEqual([{ provider: 'email' }])
  expect(await db.selectFrom('sessions').select('id').where('userId', '=', id).execute()).toEqual([])
})

test('a stranger’s password from a sign-up does not survive a repeated email', async () => {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  await call('POST', '/otp', { email })
  await secretsSoon(email, 'sign-in')
  await forgetLimits()
  await call('POST', '/resend', { type: 'signup', email })
  const { code } = await secretsSoon(email, 'confirm-address', 2)
  expect((await call('POST', '/verify', { type: 'email', email, token: code })).statusCode).toBe(200)
  expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(400)
})

test('a stranger signed in to an unproven account does not get the role of an invitation', async () => {
  const email = someEmail()
  const { headers } = await signIn('customer', { email, emailConfirmedAt: null })
  const read = async () => (await app.inject({ url: '/api/contacts', headers })).statusCode
  expect(await read()).toBe(403)
  await directory.inviteUser(email, 'staff', {})
  expect(await read()).toBe(401)
})

test('an accepted invitation is in the log once', async () => {
  const email = someEmail()
  const { id } = await directory.inviteUser(email, 'customer', {})
  const { link } = await secretsOf(email, 'invite')
  const fields = { token_hash: link, password: 'a long enough one', confirmPassword: 'a long enough one' }
  await browser(app).post(`/login/new-password?token_hash=${link}&type=invite`, fields)
  const accepted = db.selectFrom('auditEvents').select('id').where('subjectId', '=', id).where('action', '=', 'invite_accepted')
  expect(await accepted.execute()).toHaveLength(1)
})

test('a repeated email keeps the password of the sign-up in its browser; from another browser it only proves the address', async () => {
  const again = async (from: ReturnType<typeof browser>, email: string, count: number) => {
    await forgetLimits()
    await from.post('/login/confirm', { email })
    return secretsSoon(email, 'confirm-address', count)
  }
  const signsIn = async (email: string) => (await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode
  const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', password: PASSWORD, confirmPassword: PASSWORD }

  const [own, strange] = [someEmail(), someEmail()]
  const mine = browser(app)
  await mine.post('/login?mode=sign-up', { ...fields, email: own })
  const { link } = await again(mine, own, 2)
  expect((await mine.post(`/login/confirm?token_hash=${link}`, { token_hash: link })).headers.location).toBe('/dashboard')
  expect(await signsIn(own)).toBe(200)

  await browser(app).post('/login?mode=sign-up', { ...fields, email: strange })
  const asked = await again(mine, strange, 2)
  expect((await emailsTo(strange)).at(-1)?.data).toMatchObject({ isBare: true })
  expect((await call('POST', '/verify', { type: 'signup', token_hash: asked.link })).json().user.user_metadata).not.toHaveProperty(
    'first_name',
  )
  expect(await signsIn(strange)).toBe(400)
})

test('an email that only proves the address leads to a page to choose a password', async () => {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  await forgetLimits()
  await call('POST', '/resend', { type: 'signup', email })
  const { link } = await secretsSoon(email, 'confirm-address', 2)
  const sent = (await emailsTo(email)).at(-1)
  const [, path = ''] =
    /href="http:\/\/localhost:3000(\/login[^"]+)"/.exec((await renderEmail('confirm-address', JSON.stringify(sent?.data))).html) ?? []
  expect(path.replaceAll('&amp;', '&')).toBe(`/login/new-password?token_hash=${link}&type=signup`)
  expect((await browser(app).send({ url: path })).body).toContain('Choose a password')
})
