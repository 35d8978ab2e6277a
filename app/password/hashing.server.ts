import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { composed } from './password-length.ts'
import { hashArgon2, OWN_COST, readHash, type StoredHash } from './stored-hash.server.ts'

const TAG_BYTES = 32
const SALT_BYTES = 16

/** More at once than there are cores would only make all of them slower; who waits longer than this queue is told to come back. */
const atOnce = availableParallelism()
const LONGEST_QUEUE = 64

/** Compared against when there is no password to compare with, so that this takes as long. Nothing hashes to it. */
const nobody: StoredHash = {
  isOwn: true,
  async matches(password) {
    await hashArgon2(password, { ...OWN_COST, salt: randomBytes(SALT_BYTES) }, TAG_BYTES)
    return false
  },
}

let running = 0
const waiting: (() => void)[] = []

/** How many hashes have been worked out since the start: two requests that must look alike must cost alike. */
export let hashCount = 0

/** Hashes a password with argon2id, however its characters are composed. Returns a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phc(salt, await inTurn(() => hashArgon2(composed(password), { ...OWN_COST, salt }, TAG_BYTES)))
}

/** Whether the password is the one that was hashed, here or where it was imported from. Without a hash the result is no, after the same work. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  return (await comparePassword(password, hash)) !== 'wrong'
}

/**
 * The same, and whether a new hash has to replace this one while the password is at hand: it came from elsewhere, from a time of lower cost,
 * or was made of the characters as they were typed. Other services and our earlier versions did not compose them.
 */
export async function comparePassword(password: string, hash: string | null | undefined): Promise<'wrong' | 'right' | 'outdated'> {
  const known = readHash(hash ?? '') ?? nobody
  const text = composed(password)
  if (await inTurn(() => known.matches(text))) return known.isOwn ? 'right' : 'outdated'
  return text !== password && (await inTurn(() => known.matches(password))) ? 'outdated' : 'wrong'
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await enter()
  try {
    hashCount += 1
    return await work()
  } finally {
    leave()
  }
}

async function enter(): Promise<void> {
  if (running < atOnce) {
    running += 1
    return
  }
  if (waiting.length >= LONGEST_QUEUE) refuse('unexpected_failure', { retryAfter: 2 })
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** The place goes straight to the next in the queue. */
function leave() {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

function phc(salt: Buffer, tag: Buffer): string {
  const [first, second] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=${OWN_COST.memory},t=${OWN_COST.passes},p=${OWN_COST.lanes}$${first}$${second}`
}
