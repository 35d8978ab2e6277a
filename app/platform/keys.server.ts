import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { env } from './env.server.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

let master: Buffer | undefined
/** By purpose; there are few. */
const keys = new Map<string, Buffer>()

/** The installation's secret, created at first use; only its file's owner may read it. Several machines share the folder `keys`. */
function masterKey(): Buffer {
  if (master) return master
  const file = path.join(keysFolder(), 'master.key')
  master = existsSync(file) ? readFileSync(file) : keepFirst(file, randomBytes(KEY_BYTES))
  return master
}

/** The folder with the keys of this installation. */
export function keysFolder(): string {
  const folder = path.resolve(env.DATA_DIR, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Writes a secret to a file, unless it exists, and returns the file's content. Processes that start at the same moment agree: a name can be
 * linked to a finished file only once, and the first one wins.
 */
export function keepFirst(file: string, secret: Uint8Array | string): Buffer {
  const aside = `${file}.${randomUUID()}`
  try {
    writeFileSync(aside, secret, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(aside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
  keepName(file)
  return readFileSync(file)
}

/** Replaces the secret in a file atomically: a reader gets the old one or the new one, never a part. */
export function keepInstead(file: string, secret: string): void {
  const aside = `${file}.${randomUUID()}`
  writeFileSync(aside, secret, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(aside, file)
  keepName(file)
}

/** Syncs the folder: sealed data is in the database immediately, so the file's name has to outlive a power cut as well. */
function keepName(file: string) {
  const folder = openSync(path.dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** A key for one purpose, so that its output is worthless for another. */
function keyFor(purpose: string): Buffer {
  const known = keys.get(purpose)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', masterKey(), '', purpose, KEY_BYTES))
  keys.set(purpose, key)
  return key
}

/** Encrypts with AES-256-GCM. `context` (such as a row's ID) must be given again to open it. */
export function seal(purpose: string, context: string, plain: Uint8Array | string): Buffer {
  return sealWith(keyFor(purpose), context, plain)
}

/** Decrypts the output of `seal` for the same purpose and context; throws when it was altered or belongs elsewhere. */
export function unseal(purpose: string, context: string, sealed: Uint8Array): Buffer {
  return unsealWith(keyFor(purpose), context, sealed)
}

/** `seal` with a key of the caller: 32 bytes. */
export function sealWith(key: Uint8Array, context: string, plain: Uint8Array | string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function unsealWith(key: Uint8Array, context: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** A keyed hash for one purpose. */
export function mac(purpose: string, message: string): Buffer {
  return createHmac('sha256', keyFor(purpose)).update(message).digest()
}
