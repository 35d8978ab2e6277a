import { createHash } from 'node:crypto'
import { env } from '#app/platform/env.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Role } from '#app/auth/users/role.ts'
import { identity } from '#app/content/identity.ts'
import { fetchBounded, FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { isFromContext, type PasswordContext } from './context-words.server.ts'
import { composed, MOST_CHARACTERS, passwordLength, TOO_LONG } from './password-length.ts'

/** Staff see other people's data. */
const STAFF_LENGTH = 12
/** How many of the most common passwords of sufficient length are refused. */
const COMMON = 5000

/** Why a password is too weak, in the words of the auth protocol. */
export type Weakness = 'length' | 'characters' | 'pwned'

/** Refuses a weak new password, with all reasons. `people`: its owner as they are, and as they are about to be. */
export async function checkNewPassword(password: string, role: Role, ...people: readonly PasswordContext[]): Promise<void> {
  checkPasswordLength(password)
  const text = composed(password)
  const fromContext = isFromContext(text, people)
  const isPwned = fromContext || (await isCommon(text)) || (env.PASSWORD_HIBP_ENABLED && (await isLeaked(text)))
  const reasons = [...weaknesses(text, role), ...(isPwned ? (['pwned'] as const) : [])]
  const [first] = reasons
  if (first) refuse('weak_password', { sentence: first === 'pwned' && fromContext ? FROM_CONTEXT : sentences[first](role), reasons })
}

const FROM_CONTEXT = 'Choose a password that is not based on your name, your address or the name of this site.'

const sentences: Record<Weakness, (role: Role) => string> = {
  length: (role) => `Password should be at least ${leastLength(role)} characters.`,
  characters: () => `Password should contain at least one character of each: ${env.PASSWORD_REQUIRED_CHARACTERS.join(', ')}.`,
  pwned: () => 'This is one of the most common passwords. Please choose another one.',
}

/** The one rule that also applies to administrators. */
export function checkPasswordLength(password: string): void {
  if (passwordLength(password) > MOST_CHARACTERS) refuse('validation_failed', { sentence: TOO_LONG })
}

/** Checks the current rules that need no dictionary and no lookup. */
export function weaknesses(password: string, role: Role): Weakness[] {
  const lacks = env.PASSWORD_REQUIRED_CHARACTERS.some((group) => !Array.from(group).some((character) => password.includes(character)))
  return [...(isShort(password, role) ? (['length'] as const) : []), ...(lacks ? (['characters'] as const) : [])]
}

function isShort(password: string, role: Role): boolean {
  return passwordLength(password) < leastLength(role)
}

/** Whether a password is too short for staff. It is stored beside the hash, because the role may come later. */
export function isShortForStaff(password: string): boolean {
  return isShort(password, 'staff')
}

export function leastLength(role: Role): number {
  return role === 'customer' ? env.PASSWORD_MIN_LENGTH : Math.max(STAFF_LENGTH, env.PASSWORD_MIN_LENGTH)
}

let common: Promise<ReadonlySet<string>> | undefined

async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon()
  return (await common).has(password.toLowerCase())
}

/** Loaded on first use: the list is large and many processes never need it. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= env.PASSWORD_MIN_LENGTH)
  return new Set(longEnough.slice(0, COMMON))
}

const SERVICE = 'https://api.pwnedpasswords.com/range/'
const BOUNDS = { ms: 3000, bytes: 200_000 }

/**
 * Whether a password is known from a leak. The service gets only the first five digits of its hash, which thousands share, and pads its
 * response. If it does not respond, the password passes.
 */
async function isLeaked(password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  try {
    const headers = { 'add-padding': 'true', 'user-agent': identity.name }
    const { status, text } = await fetchBounded(SERVICE + hash.slice(0, 5), { headers }, BOUNDS)
    if (status === 200) return text.split(/\r?\n/).some((line) => line.startsWith(hash.slice(5)) && !/:0+$/.test(line))
    log.warn({ status }, 'leaked passwords could not be looked up')
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    log.warn({ reason: error.message }, 'leaked passwords could not be looked up')
  }
  return false
}
