import { beforeEach, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/limits.server.ts'
import { acceptLetter, accountKey } from './mail-budget.server.ts'

beforeEach(closeLimits)
const [here, elsewhere] = [{ address: '203.0.113.1' }, { address: '203.0.113.2' }]

test('a second email of a kind to one address has to wait a minute, and no longer', async () => {
  await acceptLetter('recovery', 'ada@example.com', here)
  const refused = await acceptLetter('recovery', 'ada@example.com', elsewhere).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 429, extra: { code: 'over_email_send_rate_limit', retryAfter: 60 } })
  expect(refused).toMatchObject({ data: 'For security purposes, you can only request this after 60 seconds.' })
})

test('neither an email of another kind nor another address has to', async () => {
  await acceptLetter('recovery', 'ada@example.com', here)
  await expect(acceptLetter('confirmation', 'ada@example.com', here)).resolves.toBeDefined()
  await expect(acceptLetter('recovery', 'eve@example.com', here)).resolves.toBeDefined()
})

test('a request that is refused for its visitor makes nobody else wait', async () => {
  for (let time = 0; time < 30; time += 1) await acceptLetter('recovery', `user-${time}@example.com`, here)
  await expect(acceptLetter('recovery', 'ada@example.com', here)).rejects.toMatchObject({ status: 429 })
  await expect(acceptLetter('recovery', 'ada@example.com', elsewhere)).resolves.toBeDefined()
})

test('what counters know an account by is not its address', () => {
  const key = accountKey('ada@example.com')
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(key, 'base64url').toString('latin1')).not.toContain('ada')
  expect(accountKey('ada@example.com')).toBe(key)
  expect(accountKey('eve@example.com')).not.toBe(key)
})
