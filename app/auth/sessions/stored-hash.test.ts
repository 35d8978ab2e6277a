import bcrypt from 'bcryptjs'
import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { comparePassword, hashPassword, isPassword } from './hashing.server.ts'
import { readHash } from './stored-hash.server.ts'

const PHRASE = 'imported horse'

function argon2Hash(algorithm: 'argon2i' | 'argon2id', { memory = 4096, passes = 3, lanes = 1, tagLength = 24 } = {}) {
  const nonce = Buffer.from('sixteen bytes ok')
  const tag = argon2Sync(algorithm, { message: PHRASE, nonce, parallelism: lanes, tagLength, memory, passes })
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$${algorithm}$v=19$m=${memory},t=${passes},p=${lanes}$${salt}$${sum}`
}

/** From the test vectors that Firebase publishes with its tool. */
const FIREBASE =
  '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='

test.each([
  ['argon2i', argon2Hash('argon2i')],
  ['argon2id', argon2Hash('argon2id', { memory: 65_536, lanes: 4 })],
  ['bcrypt', bcrypt.hashSync(PHRASE, 4)],
  ['bcrypt of PHP', bcrypt.hashSync(PHRASE, 4).replace('$2b$', '$2y$')],
])('only the right password matches a %s hash of another service', async (_name, hash) => {
  expect(await isPassword(PHRASE, hash)).toBe(true)
  expect(await isPassword(`${PHRASE}s`, hash)).toBe(false)
  expect(await comparePassword(PHRASE, hash)).toBe('outdated')
})

test('only the right password matches a Firebase hash', async () => {
  expect(await isPassword('user1password', FIREBASE)).toBe(true)
  expect(await isPassword('user2password', FIREBASE)).toBe(false)
  expect(await isPassword('user1password', FIREBASE.replace(/\$[^$]+$/, '$ZGlmZmVyZW50'))).toBe(false)
})

test('our own hash is not outdated', async () => {
  expect(await comparePassword(PHRASE, await hashPassword(PHRASE))).toBe('right')
})

test.each([
  ['argon2 that wants 4 GiB', '$argon2id$v=19$m=4194304,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['argon2 with a thousand passes', '$argon2id$v=19$m=65536,t=1000,p=1$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['argon2 with many lanes', '$argon2id$v=19$m=65536,t=1,p=255$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['argon2 without memory', '$argon2id$v=19$m=1,t=1,p=1$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['argon2d', '$argon2d$v=19$m=4096,t=3,p=1$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['an older argon2', '$argon2id$v=16$m=4096,t=3,p=1$c2l4dGVlbiBieXRlcyBvaw$c2l4dGVlbiBieXRlcyBvaw'],
  ['bcrypt of half an hour', bcrypt.hashSync(PHRASE, 4).replace('$04$', '$24$')],
  ['truncated bcrypt', bcrypt.hashSync(PHRASE, 4).slice(0, -1)],
  ['Firebase with a gigabyte', FIREBASE.replace('n=14', 'n=20')],
  ['Firebase of another version', FIREBASE.replace('v=1', 'v=2')],
  ['a plain password', PHRASE],
])('%s is not an importable hash', (_name, hash) => {
  expect(readHash(hash)).toBeUndefined()
})
