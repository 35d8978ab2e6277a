import { beforeEach, expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail, stopClock, tally, VERSION } from '#test/auth.ts'

const app = await startApp()
beforeEach(forgetLimits)

const guess = (email: string, password: string, remoteAddress: string) =>
  app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', headers: VERSION, payload: { email, password }, remoteAddress })

const MANY = byLength(150, 500)

test('of hundreds of wrong passwords at once, from as many places, a dozen are looked at, with and without an account', async () => {
  const { email } = await signUpAndConfirm(app)
  for (const address of [email, someEmail()]) {
    const before = hashing.hashCount
    const replies = await Promise.all(
      Array.from({ length: MANY }, (_, time) => guess(address, `wrong horse ${time}`, `10.0.${time >> 8}.${time & 255}`)),
    )
    // The server refuses requests over its queue limit before it checks the password.
    const { 400: wrong = 0, 429: held = 0, 503: busy = 0 } = tally(replies)
    // Ten are free; the eleventh starts the pauses (1, 2, 4, 8 seconds), in which a slow machine lets some through.
    expect(wrong).toBeGreaterThanOrEqual(11)
    expect(wrong).toBeLessThanOrEqual(15)
    expect([wrong + held + busy, hashing.hashCount - before]).toEqual([MANY, wrong])
  }
})

test('each further guess doubles the pause; an address with an earlier sign-in is not locked out', async () => {
  const { email } = await signUpAndConfirm(app)
  stopClock()
  for (let time = 0; time < 11; time += 1) await guess(email, 'wrong horse', '203.0.113.1')
  const held = await guess(email, PASSWORD, '203.0.113.1')
  expect([held.statusCode, held.json().code]).toEqual([429, 'over_request_rate_limit'])
  expect(Number(held.headers['retry-after'])).toBeLessThanOrEqual(2)
  expect((await guess(email, PASSWORD, '127.0.0.1')).statusCode).toBe(200)
  const [home, sameHome] = ['2001:db8:9:1::a', '2001:db8:9:1:5555::b']
  expect((await guess(email, PASSWORD, home)).statusCode).toBe(200)
  for (let time = 0; time < 11; time += 1) await guess(email, 'wrong horse', '203.0.113.1')
  expect((await guess(email, PASSWORD, '203.0.113.1')).statusCode).toBe(429)
  expect((await guess(email, PASSWORD, sameHome)).statusCode).toBe(200)
  // A success resets the count.
  expect((await guess(email, PASSWORD, '203.0.113.1')).statusCode).toBe(200)
})
