import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { createDecipheriv, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const AGE_MAGIC = 'age-encryption.org/v1\n'

/** Encrypts a stream in the age format, which `age -d` reads. */
export function encryptWith(passphrase: string) {
  return async function* (plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { Encrypter } = await import('age-encryption')
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    yield* await encrypter.encrypt(webStreamOf(plain))
  }
}

/** Reads a backup file, and decrypts it if its first line says that it is encrypted. */
export async function* readDecrypted(file: string, passphrase: string | undefined): AsyncGenerator<Uint8Array> {
  const decrypt = await decryptionOf(file)
  if (!decrypt) return yield* createReadStream(file)
  if (!passphrase) throw new OperatorError(`${file} is encrypted: set BACKUP_PASSPHRASE to the passphrase of that time.`)
  try {
    yield* decrypt(file, passphrase)
  } catch (error) {
    throw new OperatorError('The backup cannot be decrypted: BACKUP_PASSPHRASE is another one, or the file is damaged.', { cause: error })
  }
}

async function decryptionOf(file: string) {
  await using opened = await open(file)
  const { buffer } = await opened.read(Buffer.alloc(EARLIER_MAGIC.length), 0, EARLIER_MAGIC.length, 0)
  const start = buffer.toString('latin1')
  if (start.startsWith(AGE_MAGIC)) return decryptAge
  return start === EARLIER_MAGIC ? decryptEarlier : undefined
}

async function* decryptAge(file: string, passphrase: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const source = createReadStream(file)
  try {
    yield* await decrypter.decrypt(webStreamOf(source))
  } finally {
    // The library leaves it open if the passphrase is wrong.
    source.destroy()
  }
}

/** Reads ahead by one chunk at most. */
function webStreamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await iterator.return?.()),
  })
}

/** The first line of the encrypted backups that the product wrote until November 2026. */
const EARLIER_MAGIC = 'winnow encrypted backup 1\n'
const SALT_BYTES = 32
const HEAD_BYTES = EARLIER_MAGIC.length + SALT_BYTES
const BLOCK_BYTES = 1024 ** 2
const TAG_BYTES = 16
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 ** 2 }

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/**
 * Decrypts such a backup: after the line and a salt, blocks in AES-256-GCM with a key from the passphrase (scrypt). A nonce is the number of
 * its block, and the last block is marked: a block that is missing, repeated or elsewhere fails.
 */
async function* decryptEarlier(file: string, passphrase: string): AsyncGenerator<Uint8Array> {
  await using opened = await open(file)
  const { size } = await opened.stat()
  const read = async (start: number, end: number) => {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }
  const key = await derive(passphrase, await read(EARLIER_MAGIC.length, HEAD_BYTES), 32, COST)
  const nonce = Buffer.alloc(12)
  for (let start = HEAD_BYTES, number = 0; start < size; number += 1) {
    const end = Math.min(start + BLOCK_BYTES + TAG_BYTES, size)
    const sealed = await read(start, end)
    nonce.writeUIntBE(number, 6, 6)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(end === size ? 'last' : 'more')).setAuthTag(sealed.subarray(-TAG_BYTES))
    yield Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
    start = end
  }
}
