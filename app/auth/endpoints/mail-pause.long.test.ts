import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { RATE_LIMIT_EMAIL_SENT: '400', RATE_LIMIT_OTP: '1000' })
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startAuth } from '#test/auth-app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail, VERSION } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startAuth()
beforeEach(forgetLimits)
afterEach(async () => {
  vi.useRealTimers()
  // Jobs left by one test would count in the next.
  await settled()
})

const ask = (path: string, payload: object, remoteAddress: string) =>
  app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload, remoteAddress })
const recover = (email: string, from: string) => ask('/recover', { email }, from)
/** One email per account and minute, each request from the next network. */
const floodShare = (others: string[], rounds: number, networkOf: (time: number) => string) =>
  eachMinute(rounds, async (minute) => {
    for (const [index, email] of others.entries()) await recover(email, networkOf(minute * others.length + index))
  })
const sent = async (address: string) => (await emailsTo(address)).filter(({ kind }) => kind === 'reset-password').length

const sentToAll = async (addresses: string[]) => (await Promise.all(addresses.map(sent))).reduce((all, count) => all + count)

/** Emails are written by jobs. */
async function settled() {
  startJobs()
  await eventually(async () => {
    const left = await db.selectFrom('jobs').select('id').where('kind', '=', 'account-letter').where('doneAt', 'is', null).execute()
    expect(left).toEqual([])
  })
  await stopJobs()
}

async function known() {
  const { email } = await signUpAndConfirm(app)
  await forgetLimits()
  return email
}

/** The accounts that an attacker knows. None gets more than six requests. */
const accounts = async (count: number) => Promise.all(Array.from({ length: count }, async () => (await makeUser()).email ?? ''))

/** Requests a minute apart, the last one now. Only the clock moves, so jobs run afterwards. */
async function eachMinute(count: number, request: (minute: number) => Promise<unknown>) {
  const now = Date.now()
  for (let minute = 0; minute < count; minute += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: now - (count - minute) * 60_500 })
    await request(minute)
  }
  vi.useFakeTimers({ toFake: ['Date'], now: now - 59_000 })
}

describe('happy', () => {
  test('a person gets a recovery email in the hour in which six networks ask for their address every minute, at home and elsewhere', async () => {
    const email = await known()
    await eachMinute(54, (minute) => recover(email, `203.0.113.${minute % 6}`))
    const [elsewhere, athome] = [await recover(email, '198.51.100.9'), await recover(email, '127.0.0.1')]
    vi.useRealTimers()
    expect([elsewhere.statusCode, athome.statusCode]).toEqual([200, 200])
    await settled()
    // Three for each network of the attack.
    expect(await sent(email)).toBe(6 * 3 + 2)
  })

  test('a person gets a recovery email from their own network after strangers have used up the share of recovery', async () => {
    const email = await known()
    const place = '2001:db8:9:1::a'
    expect((await ask('/token?grant_type=password', { email, password: PASSWORD }, place)).statusCode).toBe(200)
    const others = await accounts(30)
    await floodShare(others, 4, (time) => `203.0.113.${time}`)
    vi.useRealTimers()
    await settled()
    expect(await sentToAll(others)).toBe(75)

    expect((await recover(email, '2001:db8:9:1:5555::b')).statusCode).toBe(200)
    await settled()
    expect(await sent(email)).toBe(1)
  })
})

describe('error', () => {
  test('a visitor who asks for many emails makes only themself wait', async () => {
    const email = await known()
    for (let time = 0; time < 16; time += 1) await recover(someEmail(), '203.0.113.7')
    expect((await recover(email, '203.0.113.7')).statusCode).toBe(200)
    expect((await recover(email, '203.0.113.7')).statusCode).toBe(429)
    expect((await recover(email, '203.0.113.8')).statusCode).toBe(200)
    expect((await recover(email, '203.0.113.9')).statusCode).toBe(200)
  })
})

describe('security', () => {
  test('all networks of one customer count as one that asks often: they cannot use up the share of recovery', async () => {
    const email = await known()
    const others = await accounts(28)
    await floodShare(others, 4, (time) => `2001:db8:1:${time.toString(16)}::1`)
    vi.useRealTimers()
    await settled()
    // Half of the share for all networks. One customer gets at most 15 of the other half.
    expect(await sentToAll(others)).toBe(38)

    expect((await recover(email, '198.51.100.9')).statusCode).toBe(200)
    await settled()
    expect(await sent(email)).toBe(1)
  })

  test('a network from which a person has signed in before gets few emails beyond the share', async () => {
    const email = await known()
    const others = await accounts(30)
    await floodShare(others, 4, (time) => `203.0.113.${time}`)
    vi.useRealTimers()
    await settled()
    await eachMinute(8, () => recover(email, '127.0.0.1'))
    vi.useRealTimers()
    await settled()
    expect(await sent(email)).toBe(3)
  })

  test('the limits do not reveal whether an address has an account', async () => {
    const outcomes = []
    for (const email of [await known(), someEmail()]) {
      await forgetLimits()
      const statuses: number[] = []
      await eachMinute(8, async (minute) => statuses.push((await recover(email, `203.0.113.${minute}`)).statusCode))
      for (const from of ['203.0.113.20', '203.0.113.20', '203.0.113.21']) statuses.push((await recover(email, from)).statusCode)
      vi.useRealTimers()
      outcomes.push(statuses)
    }
    expect(outcomes[0]).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 429, 200])
    expect(outcomes[1]).toEqual(outcomes[0])
  })
})
