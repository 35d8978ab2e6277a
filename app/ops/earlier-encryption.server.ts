import { createDecipheriv, scrypt } from 'node:crypto'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The first line of the encrypted backups that the product wrote until November 2026. */
export const EARLIER_MAGIC = 'winnow encrypted backup 1\n'
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
export async function* decryptEarlier(file: string, passphrase: string): AsyncGenerator<Uint8Array> {
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
