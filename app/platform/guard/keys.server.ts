import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { env } from '#app/platform/env.server.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

let root: Buffer | undefined
/** By purpose; there are few. */
const keys = new Map<string, Buffer>()

/** Sets the secret from which all keys derive: every process of the installation has the same. */
export function useRoot(secret: Buffer) {
  if (root?.equals(secret)) return
  root = secret
  keys.clear()
}

/** The secret that the database holds, once it is open. Before that, an installation of one process uses its key file. */
function rootSecret(): Buffer {
  if (root) return root
  if (env.DATABASE_URL || env.MASTER_KEY.length > 0) throw new Error('Keys are in the database: open it first.')
  return (root = makeKeyFile())
}

/** A new secret from which all keys derive. */
export function makeRoot(): Buffer {
  return randomBytes(KEY_BYTES)
}

/** The secret of the key file, which is created at first use; only its owner may read it. */
export function makeKeyFile(): Buffer {
  return readKeyFile() ?? keepFirst(keyFile(), makeRoot())
}

/** The secret of the key file; `folder` is the one with the keys. */
export function readKeyFile(folder = keysFolder()): Buffer | undefined {
  const file = keyFile(folder)
  return existsSync(file) ? readFileSync(file) : undefined
}

function keyFile(folder = keysFolder()): string {
  return path.join(folder, 'master.key')
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
  const key = deriveKey(rootSecret(), purpose)
  keys.set(purpose, key)
  return key
}

/** A key of 32 bytes for one purpose, from a secret that nobody can guess. */
export function deriveKey(secret: Uint8Array | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES))
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

/** The same as 43 characters of Base64 for addresses, which Node makes in less time than from a buffer. */
export function macText(purpose: string, message: string): string {
  return createHmac('sha256', keyFor(purpose)).update(message).digest('base64url')
}
