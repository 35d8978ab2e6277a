import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const SIGN = 'wn_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 216 bits, of which the shown characters reveal 44. */
const RANDOM_BYTES = 27
const RANDOM_LENGTH = 37
const CHECKSUM_LENGTH = 6
const SHOWN_LENGTH = 8

const SHAPE = new RegExp(`^${SIGN}[${ALPHABET}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** Creates a key: a prefix that secret scanners recognize, 216 random bits, and a checksum. `prefix` may be shown; `hash` is stored. */
export function newKey(): { text: string; prefix: string; hash: string } {
  const random = toBase62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH)
  const text = SIGN + random + checkOf(random)
  return { text, prefix: text.slice(0, SIGN.length + SHOWN_LENGTH), hash: apiKeyHash(text) }
}

/** Whether a bearer token has the prefix of our keys, valid or not. */
export function isKeyLike(text: string): boolean {
  return text.startsWith(SIGN)
}

/** Whether the checksum fits: a typo is found without the database. */
export function isWellFormed(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checkOf(text.slice(SIGN.length, -CHECKSUM_LENGTH)))
}

/** A key cannot be guessed, so a plain hash is as good as a slow one. Looking up the hash leaks nothing by timing. */
export function apiKeyHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checkOf(random: string): string {
  return toBase62(BigInt(crc32(random)), CHECKSUM_LENGTH)
}

function toBase62(number: bigint, length: number): string {
  let [rest, text] = [number, '']
  const base = BigInt(ALPHABET.length)
  for (; rest > 0n; rest /= base) text = (ALPHABET[Number(rest % base)] ?? '') + text
  return text.padStart(length, '0')
}
