import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { renderLetter } from '#app/mail/render.server.tsx'
import { db, insert } from '#app/platform/db.server.ts'
import { directory } from '#app/users/directory.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { makeUser, signIn } from '#test/factories.ts'
import { lettersTo, secretsOf, secretsSoon } from '#test/letters.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const someNumber = () => `49151${randomInt(1e8, 1e9)}`

/** Somebody has come from another service with an address of which that service does not say whose it is; they are still signed in, and have made themselves at home. */
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

/** The letters by which the person themselves come to the account. */
const letters = {
  'a forgotten password': {
    kind: 'reset-password',
    type: 'recovery',
    ask: (email: string) => browser(app).post('/login/forgot-password', { email }),
  },
  'an invitation': { kind: 'invite', type: 'invite', ask: (email: string) => directory.inviteUser(email, 'customer', {}) },
}

test.each(Object.entries(letters))(
  'who proves an address by %s shuts out whoever had got ready to use it',
  async (_, { kind, type, ask }) => {
    const email = someEmail()
    const { id } = await makeUnproven(email)
    await ask(email)
    await vi.waitFor(async () => expect((await lettersTo(email)).at(-1)?.kind).toBe(kind), 5000)
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

test('who is invited shuts them out as well by a letter that was asked for after the invitation', async () => {
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

test('whoever has laid a password by does not save it by asking for one more letter', async () => {
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

test('who waits in an account whose address they have never proven does not get the role that its person is invited to', async () => {
  const email = someEmail()
  const { headers } = await signIn('customer', { email, emailConfirmedAt: null })
  const read = async () => (await app.inject({ url: '/api/contacts', headers })).statusCode
  expect(await read()).toBe(403)
  await directory.inviteUser(email, 'staff', {})
  expect(await read()).toBe(401)
})

test('an invitation is accepted once, and the log says so once', async () => {
  const email = someEmail()
  const { id } = await directory.inviteUser(email, 'customer', {})
  const { link } = await secretsOf(email, 'invite')
  const fields = { token_hash: link, password: 'a long enough one', confirmPassword: 'a long enough one' }
  await browser(app).post(`/login/new-password?token_hash=${link}&type=invite`, fields)
  const accepted = db.selectFrom('auditEvents').select('id').where('subjectId', '=', id).where('action', '=', 'invite_accepted')
  expect(await accepted.execute()).toHaveLength(1)
})

test('asking for the email again from the browser of the sign-up keeps its password; from anywhere else the email proves the address alone', async () => {
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
  expect((await browser(app).post(`/login/confirm?token_hash=${link}`, { token_hash: link })).headers.location).toContain(
    'notice=confirmed',
  )
  expect(await signsIn(own)).toBe(200)

  await browser(app).post('/login?mode=sign-up', { ...fields, email: strange })
  const asked = await again(mine, strange, 2)
  expect((await lettersTo(strange)).at(-1)?.data).toMatchObject({ isBare: true })
  expect((await call('POST', '/verify', { type: 'signup', token_hash: asked.link })).json().user.user_metadata).not.toHaveProperty(
    'first_name',
  )
  expect(await signsIn(strange)).toBe(400)
})

test('the email that proves an address alone leads to a page where its reader chooses a password', async () => {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  await forgetLimits()
  await call('POST', '/resend', { type: 'signup', email })
  const { link } = await secretsSoon(email, 'confirm-address', 2)
  const letter = (await lettersTo(email)).at(-1)
  const [, path = ''] =
    /href="http:\/\/localhost:3000(\/login[^"]+)"/.exec(renderLetter('confirm-address', JSON.stringify(letter?.data)).html) ?? []
  expect(path.replaceAll('&amp;', '&')).toBe(`/login/new-password?token_hash=${link}&type=signup`)
  expect((await browser(app).send({ url: path })).body).toContain('Choose a password')
})
