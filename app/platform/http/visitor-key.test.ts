import { beforeEach, expect, test } from 'vitest'
import { attempt, closeLimits, consume, customerKey, forgive, giveBack, succeed, visitorKey } from '#app/platform/guard/limits.server.ts'

beforeEach(closeLimits)

const refusal = (work: Promise<void>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('an IPv6 subscriber is one visitor however many addresses they have, and IPv4 inside of it is itself', () => {
  expect(visitorKey('203.0.113.7')).toBe('203.0.113.7')
  expect(visitorKey('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(visitorKey('2001:db8:0:1:aaaa::1')).toBe(visitorKey('2001:0DB8:0000:0001:bbbb:2:3:4'))
  expect(visitorKey('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(visitorKey('2001:db8:0:2::1')).not.toBe(visitorKey('2001:db8:0:1::1'))
})

test('a customer of a provider is one whichever of their subnets they come from', () => {
  expect(customerKey('203.0.113.7')).toBe('203.0.113.7')
  expect(customerKey('2001:db8:1:2::1')).toBe('2001:db8:1::/48')
  expect(customerKey('2001:db8:1:ffff::1')).toBe(customerKey('2001:db8:1:2::1'))
  expect(customerKey('2001:db8:2:2::1')).not.toBe(customerKey('2001:db8:1:2::1'))
})

test('a limit tells once in each time span that it refuses, and what is given back can be used again', async () => {
  const refused: string[] = []
  const limit = { name: 'told', points: 2, seconds: 120, refused: (key: string) => void refused.push(key) }
  await consume(limit, 'ada', 2)
  for (let time = 0; time < 5; time += 1) expect(await refusal(consume(limit, 'ada'))).toBeDefined()
  expect(refused).toEqual(['ada'])
  await giveBack(limit, 'ada', 6)
  expect(await refusal(consume(limit, 'ada'))).toBeUndefined()
})

test('what is over a limit is refused with the time to come back, for that visitor alone, until it is forgiven', async () => {
  const limit = { name: 'three', points: 3, seconds: 120 }
  for (let count = 1; count <= 3; count += 1) await consume(limit, 'ada')
  expect(await refusal(consume(limit, 'ada'))).toMatchObject({
    status: 429,
    data: 'That was too often. Please try again in 2 minutes.',
    extra: { retryAfter: 120 },
  })
  expect(await refusal(consume(limit, 'eve'))).toBeUndefined()
  await forgive(limit, 'ada')
  expect(await refusal(consume(limit, 'ada'))).toBeUndefined()
})

test('attempts beyond the free ones need a pause, and a success forgets them', async () => {
  const patience = { name: 'guess', free: 2, longest: 60, forgottenAfter: 3600 }
  for (let count = 1; count <= 3; count += 1) await attempt(patience, 'ada')
  expect(await refusal(attempt(patience, 'ada'))).toMatchObject({ status: 429, extra: { retryAfter: 1 } })
  expect(await refusal(attempt(patience, 'eve'))).toBeUndefined()
  await succeed(patience, 'ada')
  for (let count = 1; count <= 2; count += 1) expect(await refusal(attempt(patience, 'ada'))).toBeUndefined()
})

test('two limits of one name with different numbers are a mistake that stops: they would share their counts', async () => {
  await consume({ name: 'shared', points: 3, seconds: 60 }, 'ada')
  await expect(consume({ name: 'shared', points: 500, seconds: 3600 }, 'ada')).rejects.toThrow('Two limits have the name shared.')
})
