import { beforeEach, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SMTP_MAX_FREQUENCY = '0'
})

import { spendLetter } from '#app/account-letter/mail-budget.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { lettersTo } from '#test/letters.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

const ways = [
  (email: string) => call('POST', '/signup', { email, password: PASSWORD }),
  (email: string) => call('POST', '/recover', { email }),
  (email: string) => call('POST', '/resend', { type: 'signup', email }),
]
const asked = async (email: string, times: number) => {
  for (let time = 0; time < times; time += 1) await ways[time % ways.length]?.(email)
}
const refusal = { code: 'over_email_send_rate_limit', message: 'That was too often. Please try again in an hour.' }

test('ten letters an hour may be asked for by one address, of whatever kind; whether it has an account cannot be told', async () => {
  const { email: known } = await signUpAndConfirm(app)
  await forgetLimits()
  const unknown = someEmail()
  for (const email of [known, unknown]) {
    await asked(email, 9)
    expect((await call('POST', '/recover', { email })).statusCode).toBe(200)
    for (const ask of ways) {
      const reply = await ask(email)
      expect([reply.statusCode, reply.json()]).toEqual([429, refusal])
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3500)
    }
  }
  expect((await call('POST', '/recover', { email: someEmail() })).statusCode).toBe(200)
})

test('when two thousand have been asked for in an hour nobody gets another, known or not; enquiries are acknowledged as ever', async () => {
  const { email: known } = await signUpAndConfirm(app)
  await forgetLimits()
  await Promise.all(Array.from({ length: 2000 }, (_, letter) => spendLetter('recovery', `user-${letter}@example.com`)))

  for (const email of [known, someEmail()]) {
    for (const ask of ways) {
      const reply = await ask(email)
      expect([reply.statusCode, reply.json()]).toEqual([429, refusal])
    }
  }
  expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
  expect((await lettersTo(ada.email)).map(({ kind }) => kind)).toEqual(['acknowledgement'])
})
