import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes, scrypt } from 'node:crypto'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { OperatorError } from '#app/platform/operator-error.ts'

/**
 * An encrypted backup: this line, a salt, then blocks of 1 MiB in AES-256-GCM with a key from the passphrase (scrypt). A nonce is the number
 * of its block, and the last block is marked: a block that is missing, repeated or elsewhere is noticed.
 */
const MAGIC = Buffer.from('winnow encrypted backup 1\n')
const SALT_BYTES = 32
const BLOCK_BYTES = 1024 ** 2
const TAG_BYTES = 16
/** 128 MB of memory and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 ** 2 }

type Cost = typeof COST

const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt)

/** Encrypts a stream with a passphrase. */
export function encryptWith(passphrase: string, cost: Cost = COST) {
  return async function* (plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const salt = randomBytes(SALT_BYTES)
    const key = await derive(passphrase, salt, 32, cost)
    yield Buffer.concat([MAGIC, salt])
    let number = 0
    for await (const { block, isLast } of blocksOf(plain, BLOCK_BYTES)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(markOf(isLast))
      const body = Buffer.concat([cipher.update(block), cipher.final()])
      yield Buffer.concat([body, cipher.getAuthTag()])
      number += 1
    }
  }
}

/** Decrypts a stream that `encryptWith` wrote. */
export function decryptWith(passphrase: string, cost: Cost = COST) {
  return async function* (sealed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const { head, rest } = await splitAfter(sealed, MAGIC.length + SALT_BYTES)
    const key = await derive(passphrase, head.subarray(MAGIC.length), 32, cost)
    let number = 0
    for await (const { block, isLast } of blocksOf(rest, BLOCK_BYTES + TAG_BYTES)) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number)).setAAD(markOf(isLast))
      yield openBlock(decipher, block)
      number += 1
    }
  }
}

/** Whether a file begins as an encrypted backup does. */
export async function isEncrypted(file: string): Promise<boolean> {
  await using opened = await open(file)
  const { buffer } = await opened.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
  return buffer.equals(MAGIC)
}

function openBlock(decipher: DecipherGCM, block: Buffer): Buffer {
  try {
    decipher.setAuthTag(block.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(block.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch (error) {
    throw new OperatorError('The backup cannot be decrypted: BACKUP_PASSPHRASE is another one, or the file is damaged.', { cause: error })
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

function markOf(isLast: boolean): Buffer {
  return Buffer.from(isLast ? 'last' : 'more')
}

async function splitAfter(stream: AsyncIterable<Buffer>, size: number) {
  const chunks = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  while (held.length < size) {
    const { done, value } = await chunks.next()
    if (done) throw new OperatorError('The encrypted backup ends too early.')
    held = Buffer.concat([held, value])
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield held.subarray(size)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { head: held.subarray(0, size), rest: rest() }
}

/** Blocks of equal size; the last one may be shorter, and empty. */
async function* blocksOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<{ block: Buffer; isLast: boolean }> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    held.push(chunk)
    length += chunk.length
    if (length <= size) continue
    let all = Buffer.concat(held)
    // One byte more than a block shows that the block is not the last one.
    for (; all.length > size; all = all.subarray(size)) yield { block: all.subarray(0, size), isLast: false }
    held = [all]
    length = all.length
  }
  yield { block: Buffer.concat(held), isLast: true }
}
