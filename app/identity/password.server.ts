import { env } from '#app/platform/env.server.ts'
import { refuse } from './refusal.ts'
import type { Role } from './role.ts'

/** Bytes. What is longer was never a password that someone types, and other services of this protocol stop here, too. */
const LONGEST = 72
/** For whoever sees other people's data. */
const STAFF_LENGTH = 12
/** How many of the commonest passwords are refused. Those shorter than any that is allowed need no list. */
const COMMON = 5000

/** Lets a new password pass, or refuses it with every reason at once. */
export async function checkNewPassword(password: string, role: Role): Promise<void> {
  checkPasswordLength(password)
  const least = leastLength(role)
  const reasons = [...(byteLength(password) < least ? ['length'] : []), ...((await isCommon(password)) ? ['pwned'] : [])]
  if (reasons.length === 0) return
  const sentence = reasons.includes('length')
    ? `Password should be at least ${least} characters.`
    : 'This is one of the most common passwords. Please choose another one.'
  refuse('weak_password', { sentence, reasons })
}

/** Refuses what is longer than any password: the one rule that holds for administrators, too. */
export function checkPasswordLength(password: string): void {
  if (byteLength(password) > LONGEST) refuse('validation_failed', { sentence: `Password cannot be longer than ${LONGEST} characters` })
}

/** Whether a password that was good enough once would be refused as too short today. */
export function isShort(password: string, role: Role): boolean {
  return byteLength(password) < leastLength(role)
}

/** Whether it would be too short for staff: kept beside the hash, because a role may come later than the password. */
export function isShortForStaff(password: string): boolean {
  return isShort(password, 'staff')
}

/** How long a new password has to be. */
export function leastLength(role: Role): number {
  return role === 'customer' ? env.PASSWORD_MIN_LENGTH : Math.max(STAFF_LENGTH, env.PASSWORD_MIN_LENGTH)
}

function byteLength(password: string): number {
  return Buffer.byteLength(password)
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
