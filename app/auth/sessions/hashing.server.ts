import { randomBytes } from 'node:crypto'
import { heavy, waits } from '#app/platform/http/load.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { composed } from './password-length.ts'
import { hashArgon2, OWN_COST, readHash, type StoredHash } from './stored-hash.server.ts'

const TAG_BYTES = 32
const SALT_BYTES = 16

/** Matches no password, but takes as long as a real comparison: response times must not show whether an account exists. */
const nobody: StoredHash = {
  isOwn: true,
  async matches(password) {
    await hashArgon2(password, { ...OWN_COST, salt: randomBytes(SALT_BYTES) }, TAG_BYTES)
    return false
  },
}

/** Hashes computed since the start. Tests compare it, because requests that must look alike must cost alike. */
export let hashCount = 0

/** Hashes a password with argon2id, however its characters are composed. Returns a PHC string. */
export async function hashPassword(password: string, salt: Buffer = randomBytes(SALT_BYTES)): Promise<string> {
  return phc(salt, await inTurn(() => hashArgon2(composed(password), { ...OWN_COST, salt }, TAG_BYTES)))
}

/**
 * The salt for the password of a sign-up: that of the account's own hash, or one of the address. So a sign-in compares its password with
 * the account's and with those of all open sign-ups by one computation.
 */
export function signUpSalt(address: string, hash: string | null | undefined): Buffer {
  return (hash && ownSaltOf(hash)) || mac('sign-up-salt', address).subarray(0, SALT_BYTES)
}

/** Hashes of the passwords of sign-ups that wait for their proof. */
export type OpenPasswords = { address: string; hashes: readonly string[] }

/**
 * Compares a password with an account's hash, and with those of open sign-ups of the same address. All branches do the same work, except
 * for a hash from another service, which needs a computation of its own.
 */
export async function compareAtSignIn(
  password: string,
  hash: string | null | undefined,
  { address, hashes }: OpenPasswords,
): Promise<'wrong' | 'right' | 'outdated' | 'open'> {
  const imported = hash && !ownSaltOf(hash) ? await comparePassword(password, hash) : 'wrong'
  if (imported !== 'wrong') return imported
  const made = await hashPassword(password, signUpSalt(address, hash))
  if (made === hash) return 'right'
  if (hashes.includes(made)) return 'open'
  const known = readHash(hash ?? '') ?? nobody
  return composed(password) !== password && (await inTurn(() => known.matches(password))) ? 'outdated' : 'wrong'
}

/** Whether the password matches a hash, our own or an imported one. Without a hash the result is `false`, after the same work. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  return (await comparePassword(password, hash)) !== 'wrong'
}

/**
 * The same, with `outdated` where a new hash has to replace this one: it was imported, has a lower cost, or was made of characters that
 * were not normalized. Other services and our earlier versions did not normalize them.
 */
export async function comparePassword(password: string, hash: string | null | undefined): Promise<'wrong' | 'right' | 'outdated'> {
  const known = readHash(hash ?? '') ?? nobody
  const text = composed(password)
  if (await inTurn(() => known.matches(text))) return known.isOwn ? 'right' : 'outdated'
  return text !== password && (await inTurn(() => known.matches(password))) ? 'outdated' : 'wrong'
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return heavy.run(waits.hash, () => {
    hashCount += 1
    return work()
  })
}

/** The salt of a hash that `hashPassword` made at today's cost. */
function ownSaltOf(hash: string): Buffer | undefined {
  const salt = Buffer.from(hash.split('$')[4] ?? '', 'base64')
  const tag = Buffer.from(hash.split('$')[5] ?? '', 'base64')
  return salt.length === SALT_BYTES && tag.length === TAG_BYTES && phc(salt, tag) === hash ? salt : undefined
}

function phc(salt: Buffer, tag: Buffer): string {
  const [first, second] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${OWN_COST.memory},t=${OWN_COST.passes},p=${OWN_COST.lanes}$${first}$${second}`
}
