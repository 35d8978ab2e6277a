import bcrypt from 'bcryptjs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { hashArgon2, OWN_COST } from '#app/auth/sessions/stored-hash.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { secretsSoon } from '#test/emails.ts'
import { makeUser } from '#test/factories.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)
startJobs()
afterAll(() => stopJobs())

const COMPOSED = 'crème brûlée'
const TYPED_APART = COMPOSED.normalize('NFD')
const signIn = (email: string, password: string) => call('POST', '/token?grant_type=password', { email, password })
const hashOf = async (email: string) =>
  (await db.selectFrom('users').select('passwordHash').where('email', '=', email).executeTakeFirstOrThrow()).passwordHash

/** As earlier versions hashed it: the raw bytes as typed. */
async function hashAsTyped(password: string): Promise<string> {
  const salt = Buffer.from('sixteen bytes ok')
  const tag = await hashArgon2(password, { ...OWN_COST, salt }, 32)
  const [first, second] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${OWN_COST.memory},t=${OWN_COST.passes},p=${OWN_COST.lanes}$${first}$${second}`
}

async function makeKnown(passwordHash: string): Promise<string> {
  const email = someEmail()
  await makeUser({ email, passwordHash })
  return email
}

describe('happy', () => {
  test('a password opens the account however the keyboard composes its characters', async () => {
    const { email } = await signUpAndConfirm(app, someEmail(), TYPED_APART)
    for (const password of [COMPOSED, TYPED_APART]) expect((await signIn(email, password)).statusCode).toBe(200)
    expect((await signIn(email, 'creme brulee')).json().code).toBe('invalid_credentials')
  })

  test('an account whose password was hashed as it was typed still opens, and from then on with either spelling', async () => {
    const email = await makeKnown(await hashAsTyped(TYPED_APART))
    const before = await hashOf(email)
    expect((await signIn(email, TYPED_APART)).statusCode).toBe(200)
    expect(await hashOf(email)).not.toBe(before)
    expect((await signIn(email, COMPOSED)).statusCode).toBe(200)
  })

  test('a bcrypt hash from elsewhere opens its account, and gives way to one that counts every character', async () => {
    const long = `${'ж'.repeat(36)} and what bcrypt leaves out`
    const email = await makeKnown(bcrypt.hashSync(long, 4))
    expect((await signIn(email, long)).statusCode).toBe(200)
    expect(await hashOf(email)).toMatch(/^\$argon2id\$/)
    expect((await signIn(email, 'ж'.repeat(36))).json().code).toBe('invalid_credentials')
    expect((await signIn(email, long)).statusCode).toBe(200)
  })

  test('a passphrase of 128 characters in any script is taken', async () => {
    for (const password of ['ж'.repeat(128), '密'.repeat(128), 'x'.repeat(64)]) {
      const { email } = await signUpAndConfirm(app, someEmail(), password)
      expect((await signIn(email, password)).statusCode).toBe(200)
    }
  })
})

describe('error', () => {
  test('two characters are too short in Chinese as in English', async () => {
    const reply = await call('POST', '/signup', { email: someEmail(), password: '密码' })
    expect([reply.statusCode, reply.json()]).toMatchObject([422, { code: 'weak_password', weak_password: { reasons: ['length'] } }])
  })
})

describe('security', () => {
  const refused = { code: 'weak_password', weak_password: { reasons: ['pwned'] } }

  test('signing up with the name of the site, the own address or the own name as a password is refused', async () => {
    const email = 'grace.hopper@navy.example'
    const data = { first_name: 'Grace', last_name: 'Brewster' }
    for (const password of ['Winnow2026!', email, 'grace.hopper1', 'Brewster!', 'navy12345']) {
      const reply = await call('POST', '/signup', { email, password, data })
      expect([password, reply.statusCode, reply.json()]).toMatchObject([password, 422, refused])
    }
  })

  test('so is changing to it, also by an email link or by an administrator, and to the address of a pending change', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const replies = [
      await call('PUT', '/user', { password: 'lovelace!' }, bearer(session)),
      await call('PUT', '/user', { password: 'augusta.king', email: 'augusta.king@example.com' }, bearer(session)),
    ]
    for (const reply of replies) expect([reply.statusCode, reply.json()]).toMatchObject([422, refused])
    await call('POST', '/recover', { email })
    const { link } = await secretsSoon(email, 'reset-password')
    const recovered = (await call('POST', '/verify', { type: 'recovery', token_hash: link })).json()
    expect((await call('PUT', '/user', { password: email }, bearer(recovered))).json()).toMatchObject(refused)
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
  })

  test('an unknown account costs as many hashes as a known one, however the password is composed', async () => {
    const { email } = await signUpAndConfirm(app)
    const costOf = async (address: string) => {
      const before = hashing.hashCount
      expect((await signIn(address, `wrong ${TYPED_APART}`)).json().code).toBe('invalid_credentials')
      return hashing.hashCount - before
    }
    expect(await costOf(email)).toBe(await costOf(someEmail()))
  })
})
