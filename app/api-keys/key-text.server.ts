import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const SIGN = 'wn_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 216 bits, of which the letters that are shown tell 44. */
const RANDOM_BYTES = 27
const RANDOM_LETTERS = 37
const CHECK_LETTERS = 6
const SHOWN_LETTERS = 8

const SHAPE = new RegExp(`^${SIGN}[${ALPHABET}]{${RANDOM_LETTERS + CHECK_LETTERS}}$`)

/** A new key: a sign by which scanners of secrets know it, 216 random bits, and a checksum. `prefix` may be shown, `hash` is what is kept. */
export function newKey(): { text: string; prefix: string; hash: string } {
  const random = inLetters(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LETTERS)
  const text = SIGN + random + checkOf(random)
  return { text, prefix: text.slice(0, SIGN.length + SHOWN_LETTERS), hash: hashOf(text) }
}

/** Whether a bearer means to be a key of ours, right or wrong. */
export function isKeyLike(text: string): boolean {
  return text.startsWith(SIGN)
}

/** Whether it is written as keys are: a slip in it is found without asking the database. */
export function isWellFormed(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checkOf(text.slice(SIGN.length, -CHECK_LETTERS)))
}

/** A key is too long to be guessed, so a plain hash of it is as good as a slow one; looking for the hash tells nothing by its time. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function checkOf(random: string): string {
  return inLetters(BigInt(crc32(random)), CHECK_LETTERS)
}

function inLetters(number: bigint, length: number): string {
  let [rest, text] = [number, '']
  const base = BigInt(ALPHABET.length)
  for (; rest > 0n; rest /= base) text = (ALPHABET[Number(rest % base)] ?? '') + text
  return text.padStart(length, '0')
}
