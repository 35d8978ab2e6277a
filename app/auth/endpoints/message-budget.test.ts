import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { EXTERNAL_PHONE_ENABLED: 'true', RATE_LIMIT_SMS_SENT: '24', RATE_LIMIT_OTP: '1000' })
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { provingFetch } from '#app/account/session/proving-fetch.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { bearer, forgetLimits, PASSWORD, tally, VERSION } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startAuth()
startJobs()
beforeEach(forgetLimits)
// Jobs left by one test would count in the next.
afterEach(() => settled())
afterAll(() => stopJobs())

/** Each request comes from a new visitor, unless one is given. */
let visitors = 0
const ask = (path: string, payload: object, remoteAddress = `10.1.0.${(visitors += 1) % 250}`) =>
  app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload, remoteAddress })
let last = 4_915_140_000_000
const someNumber = () => String((last += 1))
/** On localhost, text messages are stored as emails. */
const codesTo = async (phone: string) => (await emailsTo(`${phone}@phone.localhost`)).map(({ data }) => String(data.code))
const times = async (count: number, request: (time: number) => ReturnType<typeof ask>) => {
  const replies = []
  for (let time = 0; time < count; time += 1) replies.push(await request(time))
  return replies
}
const settled = () =>
  eventually(async () => {
    const left = await db.selectFrom('jobs').select('id').where('kind', '=', 'phone-code').where('doneAt', 'is', null).execute()
    expect(left).toEqual([])
  })

/** A person who signs in with their phone. */
async function known() {
  const phone = someNumber()
  expect((await ask('/otp', { phone }, '127.0.0.1')).statusCode).toBe(200)
  const [token] = await codesTo(phone)
  const session = sessionAnswer.parse((await ask('/verify', { type: 'sms', phone, token }, '127.0.0.1')).json())
  await forgetLimits()
  return { phone, session }
}

describe('happy', () => {
  test('when strangers have used up their share of messages, a person still gets the code to sign in, and the one that confirms who they are', async () => {
    const { phone, session } = await known()
    const numbers = Array.from({ length: 30 }, someNumber)
    // The response is the same for numbers with and without an account.
    expect(tally(await times(30, (time) => ask('/otp', { phone: numbers[time] })))).toEqual({ 200: 30 })
    await settled()
    expect((await Promise.all(numbers.map(codesTo))).flat()).toHaveLength(9)

    expect((await ask('/otp', { phone })).json()).toEqual({})
    await eventually(async () => expect(await codesTo(phone)).toHaveLength(2))
    const token = (await codesTo(phone)).at(-1)
    expect((await ask('/verify', { type: 'sms', phone, token })).statusCode).toBe(200)
    const nonce = await app.inject({ method: 'GET', url: '/auth/v1/reauthenticate', headers: { ...VERSION, ...bearer(session) } })
    expect(nonce.statusCode).toBe(200)
    expect(await codesTo(phone)).toHaveLength(3)
  })

  test('a program that does a proof of work signs a number up when strangers have nearly used up their share', async () => {
    await times(9, () => ask('/signup', { phone: someNumber(), password: PASSWORD }))
    const phone = someNumber()
    const send = async (_input: string | URL | Request, { body: sent }: RequestInit = {}) => {
      const { statusCode, body } = await ask('/signup', JSON.parse(typeof sent === 'string' ? sent : ''))
      return new Response(body, { status: statusCode })
    }
    const request = { method: 'POST', body: JSON.stringify({ phone, password: PASSWORD }) }
    expect((await send('', request)).status).toBe(429)
    expect((await provingFetch(send)('', request)).status).toBe(200)
    expect(await codesTo(phone)).toHaveLength(1)
  })
})

describe('error', () => {
  test('a visitor who asks for many messages makes only themself wait', async () => {
    const { phone } = await known()
    await times(6, () => ask('/otp', { phone: someNumber(), create_user: false }, '203.0.113.7'))
    expect((await ask('/otp', { phone, create_user: false }, '203.0.113.7')).statusCode).toBe(200)
    expect((await ask('/otp', { phone, create_user: false }, '203.0.113.7')).statusCode).toBe(429)
    expect((await ask('/otp', { phone, create_user: false }, '203.0.113.8')).statusCode).toBe(200)
    expect((await ask('/otp', { phone, create_user: false }, '203.0.113.9')).statusCode).toBe(200)
  })
})

describe('security', () => {
  test('one visitor who signs numbers up, and another who knows numbers, keep no codes from others who sign in by phone', async () => {
    const people: string[] = []
    for (let time = 0; time < 9; time += 1) people.push((await known()).phone)
    await times(16, () => ask('/signup', { phone: someNumber(), password: PASSWORD }, '203.0.113.1'))
    await times(6, (time) => ask('/otp', { phone: people[time] }, '203.0.113.2'))
    await settled()
    const rest = people.slice(6)
    expect(tally(await times(3, (time) => ask('/otp', { phone: rest[time] })))).toEqual({ 200: 3 })
    await settled()
    // The first code of each is the one of their sign-up.
    expect((await Promise.all(rest.map(codesTo))).map((codes) => codes.length)).toEqual([2, 2, 2])
  })

  test('an attacker’s own accounts do not use up other users’ reauthentication codes', async () => {
    const people: Awaited<ReturnType<typeof known>>[] = []
    for (let time = 0; time < 8; time += 1) people.push(await known())
    const confirm = async (time: number, remoteAddress: string) => {
      const headers = { ...VERSION, ...(people[time] && bearer(people[time].session)) }
      return app.inject({ method: 'GET', url: '/auth/v1/reauthenticate', headers, remoteAddress })
    }
    expect(tally(await times(7, (time) => confirm(time, '203.0.113.1')))).toEqual({ 200: 4, 429: 3 })
    expect((await confirm(7, '203.0.113.2')).statusCode).toBe(200)
  })

  test('the hourly limit of messages for accounts holds, and a person at a known address still gets theirs', async () => {
    const { phone } = await known()
    const others: string[] = []
    for (let time = 0; time < 8; time += 1) others.push((await known()).phone)
    const before = (await Promise.all(others.map(codesTo))).flat().length
    const replies = await times(8, (time) => ask('/otp', { phone: others[time], create_user: false }))
    expect(tally(replies)).toEqual({ 200: 8 })
    await settled()
    expect((await Promise.all(others.map(codesTo))).flat().length - before).toBe(5)
    expect((await ask('/otp', { phone, create_user: false }, '127.0.0.1')).statusCode).toBe(200)
    await eventually(async () => expect(await codesTo(phone)).toHaveLength(2))
  })
})
