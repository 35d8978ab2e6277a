import { beforeEach, expect, test } from 'vitest'
import * as hashing from '#app/password/hashing.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally, VERSION } from '#test/auth.ts'

const app = await startApp()
beforeEach(forgetLimits)

const guess = (email: string, password: string, remoteAddress: string) =>
  app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', headers: VERSION, payload: { email, password }, remoteAddress })

test('of 500 wrong passwords at once, from as many places, a dozen are looked at, with and without an account', async () => {
  const { email } = await signUpAndConfirm(app)
  for (const address of [email, someEmail()]) {
    const before = hashing.hashCount
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, time) => guess(address, `wrong horse ${time}`, `10.0.${time >> 8}.${time & 255}`)),
    )
    const { 400: wrong = 0, 429: held = 0 } = tally(replies)
    // Ten are free, the eleventh begins the pauses, and of these (1, 2, 4, 8 seconds) a busy machine lets some pass meanwhile.
    expect(wrong).toBeGreaterThanOrEqual(11)
    expect(wrong).toBeLessThanOrEqual(15)
    expect([wrong + held, hashing.hashCount - before]).toEqual([500, wrong])
  }
})

test('each further guess doubles the pause; whoever has signed in from a place before is not locked out there', async () => {
  const { email } = await signUpAndConfirm(app)
  for (let time = 0; time < 11; time += 1) await guess(email, 'wrong horse', '203.0.113.1')
  const held = await guess(email, PASSWORD, '203.0.113.1')
  expect([held.statusCode, held.json().code]).toEqual([429, 'over_request_rate_limit'])
  expect(Number(held.headers['retry-after'])).toBeLessThanOrEqual(2)
  expect((await guess(email, PASSWORD, '127.0.0.1')).statusCode).toBe(200)
  // A success forgets what came before.
  expect((await guess(email, PASSWORD, '203.0.113.1')).statusCode).toBe(200)
})
