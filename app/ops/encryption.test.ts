import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptWith, encryptWith } from './encryption.server.ts'

const PASSPHRASE = 'correct horse battery staple'
/** The real cost takes half a second for each key. */
const CHEAP = { N: 2 ** 10, r: 8, p: 1, maxmem: 256 * 1024 ** 2 }
const MIB = 1024 ** 2
/** The line at the beginning, and the salt. */
const HEAD = 'winnow encrypted backup 1\n'.length + 32

async function* piecesOf(bytes: Buffer, size = 70_001) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const encrypt = async (bytes: Buffer) => Buffer.concat(await Array.fromAsync(encryptWith(PASSPHRASE, CHEAP)(piecesOf(bytes))))
const decrypt = async (bytes: Buffer, passphrase = PASSPHRASE) =>
  Buffer.concat(await Array.fromAsync(decryptWith(passphrase, CHEAP)(piecesOf(bytes, 99_991))))

test.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB + 5])('%i bytes come back, and the encrypted ones do not show them', async (size) => {
  const plain = randomBytes(size)
  const sealed = await encrypt(plain)
  expect((await decrypt(sealed)).equals(plain)).toBe(true)
  expect(size > 8 && sealed.includes(plain.subarray(0, 16))).toBe(false)
})

const plain = randomBytes(2.5 * MIB)
const block = MIB + 16
const sealedOnce = encrypt(plain)
const REFUSED = 'The backup cannot be decrypted: BACKUP_PASSPHRASE is another one, or the file is damaged.'

test.each<[string, (sealed: Buffer) => Buffer]>([
  ['a changed bit', (sealed) => Buffer.from(sealed.map((byte, at) => (at === HEAD + 5 ? byte ^ 1 : byte)))],
  ['a changed salt', (sealed) => Buffer.from(sealed.map((byte, at) => (at === HEAD - 1 ? byte ^ 1 : byte)))],
  ['no last block', (sealed) => sealed.subarray(0, HEAD + 2 * block)],
  ['a block cut short', (sealed) => sealed.subarray(0, HEAD + block + 77)],
  [
    'two blocks in each other’s place',
    (sealed) =>
      Buffer.concat([
        sealed.subarray(0, HEAD),
        sealed.subarray(HEAD + block, HEAD + 2 * block),
        sealed.subarray(HEAD, HEAD + block),
        sealed.subarray(HEAD + 2 * block),
      ]),
  ],
  ['no first block', (sealed) => Buffer.concat([sealed.subarray(0, HEAD), sealed.subarray(HEAD + block)])],
  ['something behind it', (sealed) => Buffer.concat([sealed, Buffer.from('x')])],
])('a backup with %s is refused', async (_what, spoil) => {
  await expect(decrypt(spoil(await sealedOnce))).rejects.toThrow(REFUSED)
})

test('another passphrase is refused, and a file that ends in its head', async () => {
  await expect(decrypt(await sealedOnce, `${PASSPHRASE}!`)).rejects.toThrow(REFUSED)
  await expect(decrypt((await sealedOnce).subarray(0, HEAD - 1))).rejects.toThrow('The encrypted backup ends too early.')
})
