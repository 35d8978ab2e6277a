import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './hashing.server.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

test('a password is stored as argon2id at the lowest safe cost, and only the right password matches', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct horsf', hash)).toBe(false)
  expect(await hashPassword('correct horse')).not.toBe(hash)
})

test('hashes from other services at another cost are understood', async () => {
  const nonce = Buffer.from('sixteen bytes ok')
  const tag = argon2Sync('argon2id', { message: 'imported', nonce, parallelism: 2, tagLength: 24, memory: 4096, passes: 3 })
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  expect(await isPassword('imported', `$argon2id$v=19$m=4096,t=3,p=2$${salt}$${sum}`)).toBe(true)
})

test('text that is not a hash matches no password', async () => {
  for (const hash of [null, undefined, '', 'x', '$argon2id$v=19$m=1,t=1,p=1$$']) expect(await isPassword('', hash)).toBe(false)
})

test('requests beyond the queue are refused with a time to retry, and queued ones all finish', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('x')))
  const refused = tries.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(36)
  expect(refused[0]).toMatchObject({ status: 503 })
  expect(await hashPassword('x')).toContain('argon2id')
})
