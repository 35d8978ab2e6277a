import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { decryptEarlier, EARLIER_MAGIC } from './earlier-encryption.server.ts'

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
