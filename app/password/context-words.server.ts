import { identity } from '#app/site/content/identity.ts'
import { env } from '#app/platform/env.server.ts'

/** The person whose password it is, as far as they have told us. */
export type Person = {
  email?: string | null | undefined
  phone?: string | null | undefined
  userMetadata?: Readonly<Record<string, unknown>> | undefined
}

/** Parts of a word shorter than this are too common inside of other words. */
const LEAST_PART = 3
/** Digits beside the words that add nothing: a year, a counter. */
const MOST_DIGITS = 6
const NAMES = ['first_name', 'last_name', 'full_name', 'name', 'given_name', 'family_name']

/** Words that say nothing about a person, but that people put beside a name. */
const companions = ['admin', 'login', 'owner', 'password', 'staff', 'team', 'user', 'www', 'com']

/** Of the site and of the organization: its names, and where it is reached. */
const siteWords = [identity.name, identity.email, new URL(env.SITE_URL).hostname]

/**
 * Whether a password says nothing but what others know: the site's name, the person's address or name, or parts of them. Upper case,
 * punctuation, accents and a few digits make no difference.
 */
export function isFromContext(password: string, people: readonly Person[]): boolean {
  const known = new Set([...siteWords, ...people.flatMap(wordsOf)].flatMap(partsOf))
  return isMadeOf(plain(password), known, new Set(companions))
}

function wordsOf({ email, phone, userMetadata = {} }: Person): string[] {
  const names = NAMES.map((name) => userMetadata[name]).filter((name) => typeof name === 'string')
  return [email, phone, ...names].filter((word) => typeof word === 'string').map((word) => word.slice(0, 255))
}

/** The word whole, and each part of it between punctuation. */
function partsOf(word: string): string[] {
  const parts = [word, ...word.split('@'), ...word.split(/[^\p{L}\p{N}\p{M}]+/u)].map(plain)
  return parts.filter((part) => part.length >= LEAST_PART)
}

/** Letters and digits alone, without accents and case. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a text is a row of such words, at least one of them a known one, with a few digits between them. */
function isMadeOf(text: string, known: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  // For each length of the beginning: the fewest digits that it leaves over, without and with a known word in it.
  const plainest = Array.from<number>({ length: text.length + 1 }).fill(Infinity)
  const named = [...plainest]
  plainest[0] = 0
  const reach = (row: number[], at: number, digits: number) => {
    if (digits <= MOST_DIGITS) row[at] = Math.min(row[at] ?? Infinity, digits)
  }
  for (let at = 0; at < text.length; at += 1) {
    const [without = Infinity, withName = Infinity] = [plainest[at], named[at]]
    if (without === Infinity && withName === Infinity) continue
    if (/\p{N}/u.test(text[at] ?? '')) {
      reach(plainest, at + 1, without + 1)
      reach(named, at + 1, withName + 1)
    }
    for (const word of known) if (text.startsWith(word, at)) reach(named, at + word.length, Math.min(without, withName))
    for (const word of others) {
      if (!text.startsWith(word, at)) continue
      reach(plainest, at + word.length, without)
      reach(named, at + word.length, withName)
    }
  }
  return named.at(-1) !== Infinity
}
