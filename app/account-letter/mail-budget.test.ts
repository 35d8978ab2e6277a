import { beforeEach, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/limits.server.ts'
import { accountKey, spendLetter } from './mail-budget.server.ts'

beforeEach(closeLimits)

test('a second letter of a kind to one address has to wait, and is told how long', async () => {
  await spendLetter('recovery', 'ada@example.com')
  const refused = await spendLetter('recovery', 'ada@example.com').catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 429, extra: { code: 'over_email_send_rate_limit', retryAfter: 60 } })
  expect(refused).toMatchObject({ data: 'For security purposes, you can only request this after 60 seconds.' })
})

test('neither a letter of another kind nor another address has to', async () => {
  await spendLetter('recovery', 'ada@example.com')
  await expect(spendLetter('confirmation', 'ada@example.com')).resolves.toBeUndefined()
  await expect(spendLetter('recovery', 'eve@example.com')).resolves.toBeUndefined()
})

test('what counters know an account by is not its address', () => {
  const key = accountKey('ada@example.com')
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(key, 'base64url').toString('latin1')).not.toContain('ada')
  expect(accountKey('ada@example.com')).toBe(key)
  expect(accountKey('eve@example.com')).not.toBe(key)
})
