import { beforeEach, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { accountKey } from '#app/mail/budget.server.ts'
import { acceptEmail } from './mail-budget.server.ts'

beforeEach(closeLimits)
const [here, elsewhere] = [{ address: '203.0.113.1' }, { address: '203.0.113.2' }]

test('a second email of a kind to one address is refused for exactly a minute, and only to the visitor who asked for the first', async () => {
  await acceptEmail('recovery', 'ada@example.com', here)
  await expect(acceptEmail('recovery', 'ada@example.com', elsewhere)).resolves.toBeDefined()
  const refused = await acceptEmail('recovery', 'ada@example.com', here).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 429, extra: { code: 'over_email_send_rate_limit', retryAfter: 60 } })
  expect(refused).toMatchObject({ data: 'For security purposes, you can only request this after 60 seconds.' })
})

test('an email of another kind or to another address is not refused', async () => {
  await acceptEmail('recovery', 'ada@example.com', here)
  await expect(acceptEmail('confirmation', 'ada@example.com', here)).resolves.toBeDefined()
  await expect(acceptEmail('recovery', 'eve@example.com', here)).resolves.toBeDefined()
})

test('a request that is refused for its visitor does not delay other visitors', async () => {
  for (let time = 0; time < 30; time += 1) await acceptEmail('recovery', `user-${time}@example.com`, here)
  await expect(acceptEmail('recovery', 'ada@example.com', here)).rejects.toMatchObject({ status: 429 })
  await expect(acceptEmail('recovery', 'ada@example.com', elsewhere)).resolves.toBeDefined()
})

test('the counter key of an account does not contain its address', () => {
  const key = accountKey('ada@example.com')
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(key, 'base64url').toString('latin1')).not.toContain('ada')
  expect(accountKey('ada@example.com')).toBe(key)
  expect(accountKey('eve@example.com')).not.toBe(key)
})
