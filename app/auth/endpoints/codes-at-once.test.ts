import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { EXTERNAL_PHONE_ENABLED: 'true', SMTP_MAX_FREQUENCY: '0', SMS_MAX_FREQUENCY: '0s' })
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits, someEmail } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

let numbers = 4_915_170_000_000
const somePhone = () => String((numbers += 1))

/** Tokens in the emails to an address or the messages to a number, oldest first. */
async function secretsTo(address: string): Promise<{ link: string; code: string }[]> {
  const emails = await emailsTo(address.includes('@') ? address : `${address}@phone.localhost`)
  return emails.map(({ data }) => ({ link: String(data.link), code: String(data.code) }))
}

/** Requests a code repeatedly. Each request sends one. */
async function requestTimes(count: number, path: string, address: string, bodyOf: (time: number) => object) {
  const before = (await secretsTo(address)).length
  const named = address.includes('@') ? { email: address } : { phone: address }
  for (let time = 1; time <= count; time += 1) {
    await forgetLimits()
    expect((await call('POST', path, { ...named, ...bodyOf(time) })).statusCode).toBe(200)
    await eventually(async () => expect(await secretsTo(address)).toHaveLength(before + time))
  }
  await forgetLimits()
  return (await secretsTo(address)).slice(before)
}

async function typeCode(address: string, token = '') {
  const named = address.includes('@') ? { type: 'email', email: address } : { type: 'sms', phone: address }
  return call('POST', '/verify', { ...named, token })
}

const signUpOf = (time: number) => ({ password: `password number ${time}`, data: { first_name: `Eve ${time}` } })
const nameOf = (time: number) => ({ data: { first_name: `Eve ${time}` } })

describe('happy', () => {
  test('the link of a sign-up works also when its code no longer does', async () => {
    const email = someEmail()
    const [first] = await requestTimes(5, '/signup', email, signUpOf)
    const verified = await call('POST', '/verify', { type: 'signup', token_hash: first?.link })
    expect([verified.statusCode, verified.json().user?.user_metadata.first_name]).toEqual([200, 'Eve 1'])
  })
})

describe('security', () => {
  test.each([
    ['/signup', 'an address', someEmail, signUpOf],
    ['/otp', 'an address', someEmail, nameOf],
    ['/signup', 'a phone number', somePhone, signUpOf],
  ])('however many codes %s sends to %s, only the newest three work', async (path, _what, someAddress, bodyOf) => {
    const address = someAddress()
    const secrets = await requestTimes(5, path, address, bodyOf)
    // Codes are random: by chance an old one can be the same as a newer one.
    const live = new Set(secrets.slice(2).map(({ code }) => code))
    for (const { code } of secrets.slice(0, 2).filter((old) => !live.has(old.code))) {
      expect((await typeCode(address, code)).json().code).toBe('otp_expired')
    }
    const verified = await typeCode(address, secrets[2]?.code)
    expect([verified.statusCode, verified.json().user?.user_metadata.first_name]).toEqual([200, 'Eve 3'])
  })

  test('sign-ups and sign-in emails of one address count together', async () => {
    const email = someEmail()
    const [old] = await requestTimes(1, '/signup', email, signUpOf)
    const newer = await requestTimes(3, '/otp', email, nameOf)
    const isNewToo = newer.some(({ code }) => code === old?.code)
    expect(isNewToo || (await typeCode(email, old?.code)).json().code).toBe(isNewToo || 'otp_expired')
    expect((await typeCode(email, newer[0]?.code)).statusCode).toBe(200)
  })

  test('of an invited user’s sign-in codes only the newest works, and it adds no stranger’s profile', async () => {
    const { email } = await makeUser({ emailConfirmedAt: null, invitedAt: new Date(), invitedRole: 'owner' })
    const secrets = await requestTimes(3, '/otp', email ?? '', nameOf)
    const newest = secrets[2]?.code
    for (const { code } of secrets.slice(0, 2).filter((old) => old.code !== newest)) {
      expect((await typeCode(email ?? '', code)).json().code).toBe('otp_expired')
    }
    const verified = await typeCode(email ?? '', newest)
    expect([verified.statusCode, verified.json().user?.user_metadata]).toEqual([200, expect.not.objectContaining({ first_name: 'Eve 3' })])
    const { appMetadata } = await db.selectFrom('users').select('appMetadata').where('email', '=', email).executeTakeFirstOrThrow()
    expect(appMetadata).toMatchObject({ role: 'owner' })
  })

  test('guesses beyond the newest three open no older code: used-up tries let no other code in', async () => {
    const email = someEmail()
    const secrets = await requestTimes(4, '/signup', email, signUpOf)
    const { id } = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const newest = db.selectFrom('oneTimeTokens').select('id').where('userId', '=', id).orderBy('issuedAt', 'desc').limit(3)
    await db.updateTable('oneTimeTokens').set({ tries: 200 }).where('id', 'in', newest).execute()
    expect((await typeCode(email, secrets[0]?.code)).json().code).toBe('otp_expired')
  })
})
