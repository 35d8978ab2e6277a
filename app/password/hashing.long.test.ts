import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './hashing.server.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

test('a password is kept as argon2id with the least cost that is safe, and is told from others', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct horsf', hash)).toBe(false)
  expect(await hashPassword('correct horse')).not.toBe(hash)
})

test('hashes that were made elsewhere at another cost are understood', async () => {
  const nonce = Buffer.from('sixteen bytes ok')
  const tag = argon2Sync('argon2id', { message: 'imported', nonce, parallelism: 2, tagLength: 24, memory: 4096, passes: 3 })
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  expect(await isPassword('imported', `$argon2id$v=19$m=4096,t=3,p=2$${salt}$${sum}`)).toBe(true)
})

test('what is no hash matches nothing', async () => {
  for (const hash of [null, undefined, '', 'x', '$argon2id$v=19$m=1,t=1,p=1$$']) expect(await isPassword('', hash)).toBe(false)
})

test('more than the queue holds are asked to come back, and those in it are all served', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('x')))
  const refused = tries.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(36)
  expect(refused[0]).toMatchObject({ status: 503 })
  expect(await hashPassword('x')).toContain('argon2id')
})
