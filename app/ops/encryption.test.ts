import { Decrypter, Encrypter } from 'age-encryption'
import { createCipheriv, randomBytes, scryptSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '#test/eventually.ts'
import { encryptWith, readDecrypted } from './encryption.server.ts'

const PASSPHRASE = 'correct horse battery staple'
const REFUSED = 'The backup cannot be decrypted: BACKUP_PASSPHRASE is another one, or the file is damaged.'
const MIB = 1024 ** 2

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-encryption-'))
const file = path.join(folder, 'backup')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function decrypt(sealed: Uint8Array, passphrase: string | undefined = PASSPHRASE) {
  writeFileSync(file, sealed)
  return buffer(readDecrypted(file, passphrase))
}

const plain = randomBytes(2.5 * MIB)

/** The real work factor takes seconds for each key. */
function encryptCheaply(bytes: Uint8Array) {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(PASSPHRASE)
  encrypter.setScryptWorkFactor(10)
  return encrypter.encrypt(bytes)
}

test('another program of the age format reads the encrypted backup, and the product reads what that program wrote', async () => {
  const sealed = await buffer(encryptWith(PASSPHRASE)(Readable.from([plain.subarray(0, 70_001), plain.subarray(70_001)])))
  expect(sealed.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
  expect(sealed.includes(plain.subarray(0, 16))).toBe(false)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(PASSPHRASE)
  expect(plain.equals(await decrypter.decrypt(sealed))).toBe(true)
  expect(plain.equals(await decrypt(await encryptCheaply(plain)))).toBe(true)
})

const EARLIER_HEAD = 'winnow encrypted backup 1\n'.length + 32
const salt = randomBytes(32)
const key = scryptSync(PASSPHRASE, salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * MIB })

/** The format of before November 2026. */
function encryptEarlier(bytes: Buffer): Buffer {
  const sealed = [Buffer.from('winnow encrypted backup 1\n'), salt]
  for (let start = 0, number = 0; start < bytes.length; start += MIB, number += 1) {
    const nonce = Buffer.alloc(12)
    nonce.writeUIntBE(number, 6, 6)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(start + MIB < bytes.length ? 'more' : 'last'))
    sealed.push(cipher.update(bytes.subarray(start, start + MIB)), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(sealed)
}

test.each([MIB, 2.5 * MIB])('%i bytes come back from the format of before November 2026', async (size) => {
  const bytes = plain.subarray(0, size)
  expect(bytes.equals(await decrypt(encryptEarlier(bytes)))).toBe(true)
})

type Format = { name: string; head: number; block: number; sealed: Promise<Uint8Array> }
const whole = encryptCheaply(plain)
// The head of an age file ends with its nonce; its blocks are of 64 KiB.
const age: Format = { name: 'age', head: 166, block: 65_536 + 16, sealed: whole }
const earlier: Format = { name: 'before', head: EARLIER_HEAD, block: MIB + 16, sealed: Promise.resolve(encryptEarlier(plain)) }

test.each(
  [age, earlier].flatMap((format) => {
    const { head, block } = format
    const spoilt: [string, (sealed: Buffer) => Buffer][] = [
      ['a changed bit', (sealed) => Buffer.from(sealed.map((byte, at) => (at === head + 5 ? byte ^ 1 : byte)))],
      ['no last block', (sealed) => sealed.subarray(0, head + 2 * block)],
      ['no first block', (sealed) => Buffer.concat([sealed.subarray(0, head), sealed.subarray(head + block)])],
      ['something behind it', (sealed) => Buffer.concat([sealed, Buffer.from('x')])],
    ]
    return spoilt.map(([what, spoil]) => ({ format, what, spoil }))
  }),
)('a backup in the format $format.name with $what is refused', async ({ format, spoil }) => {
  await expect(decrypt(spoil(Buffer.from(await format.sealed)))).rejects.toThrow(REFUSED)
})

test.each([age, earlier])('another passphrase for a backup in the format $name is refused, and its file is closed', async ({ sealed }) => {
  await expect(decrypt(await sealed, `${PASSPHRASE}!`)).rejects.toThrow(REFUSED)
  const openFiles = () =>
    readdirSync('/proc/self/fd')
      .map((fd) => `/proc/self/fd/${fd}`)
      .filter(existsSync)
      .map((fd) => readlinkSync(fd))
  await eventually(() => expect(openFiles()).not.toContain(file))
})

test('without a passphrase, an encrypted backup asks for the one of its time', async () => {
  writeFileSync(file, await whole)
  await expect(buffer(readDecrypted(file, undefined))).rejects.toThrow(`${file} is encrypted: set BACKUP_PASSPHRASE`)
})
