import { env } from '#app/platform/env.server.ts'
import { isFromContext, type Person } from './context-words.server.ts'
import { isLeaked } from './leaked-password.server.ts'
import { composed, MOST_CHARACTERS, passwordLength, TOO_LONG } from './password-length.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Role } from '#app/identity/role.ts'

/** For whoever sees other people's data. */
const STAFF_LENGTH = 12
/** How many of the commonest passwords are refused. Those shorter than any that is allowed need no list. */
const COMMON = 5000

/** Why a password is too weak, in the words of the auth protocol. */
export type Weakness = 'length' | 'characters' | 'pwned'

/** Lets a new password pass, or refuses it with every reason at once. `people`: the person whose it is, and what they are about to become. */
export async function checkNewPassword(password: string, role: Role, ...people: readonly Person[]): Promise<void> {
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

/** Refuses what is longer than any password: the one rule that holds for administrators, too. */
export function checkPasswordLength(password: string): void {
  if (passwordLength(password) > MOST_CHARACTERS) refuse('validation_failed', { sentence: TOO_LONG })
}

/** What can be told of a password at a glance, by the rules of today. */
export function weaknesses(password: string, role: Role): Weakness[] {
  const lacks = env.PASSWORD_REQUIRED_CHARACTERS.some((group) => !Array.from(group).some((character) => password.includes(character)))
  return [...(isShort(password, role) ? (['length'] as const) : []), ...(lacks ? (['characters'] as const) : [])]
}

function isShort(password: string, role: Role): boolean {
  return passwordLength(password) < leastLength(role)
}

/** Whether it would be too short for staff: kept beside the hash, because a role may come later than the password. */
export function isShortForStaff(password: string): boolean {
  return isShort(password, 'staff')
}

/** How long a new password has to be. */
export function leastLength(role: Role): number {
  return role === 'customer' ? env.PASSWORD_MIN_LENGTH : Math.max(STAFF_LENGTH, env.PASSWORD_MIN_LENGTH)
}

let common: Promise<ReadonlySet<string>> | undefined

async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon()
  return (await common).has(password.toLowerCase())
}

/** Read at first use: the list is large and most starts never need it. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const longEnough = dictionary['passwords-common'].filter((password) => password.length >= env.PASSWORD_MIN_LENGTH)
  return new Set(longEnough.slice(0, COMMON))
}
