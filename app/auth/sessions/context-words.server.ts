import { identity } from '#app/content/identity.ts'
import { env } from '#app/platform/env.server.ts'

/** Known facts about the owner of a password. */
export type PasswordContext = {
  email?: string | null | undefined
  phone?: string | null | undefined
  userMetadata?: Readonly<Record<string, unknown>> | undefined
}

/** Shorter parts of a word are too common inside other words. */
const LEAST_PART = 3
/** So many digits beside the words add no strength: a year, a counter. */
const MOST_DIGITS = 6
const NAMES = ['first_name', 'last_name', 'full_name', 'name', 'given_name', 'family_name']

/** Words that say nothing about a person, but that people often add to a name. */
const companions = ['admin', 'login', 'owner', 'password', 'staff', 'team', 'user', 'www', 'com']

const siteWords = () => [identity.name, identity.email, new URL(env.SITE_URL).hostname]

/**
 * Whether a password consists only of public words: the site's name, the person's address or name, or parts of them. Upper case,
 * punctuation, accents and a few digits make no difference.
 */
export function isFromContext(password: string, people: readonly PasswordContext[]): boolean {
  const known = new Set([...siteWords(), ...people.flatMap(wordsOf)].flatMap(partsOf))
  return isMadeOf(plain(password), known, new Set(companions))
}

function wordsOf({ email, phone, userMetadata = {} }: PasswordContext): string[] {
  const names = NAMES.map((name) => userMetadata[name]).filter((name) => typeof name === 'string')
  return [email, phone, ...names].filter((word) => typeof word === 'string').map((word) => word.slice(0, 255))
}

/** The whole word, and each part between punctuation. */
function partsOf(word: string): string[] {
  const parts = [word, ...word.split('@'), ...word.split(/[^\p{L}\p{N}\p{M}]+/u)].map(plain)
  return parts.filter((part) => part.length >= LEAST_PART)
}

/** Only alphanumeric characters, without accents and case. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a text is a sequence of these words, at least one of them known, with a few digits in between. */
function isMadeOf(text: string, known: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  // For each prefix length: the fewest leftover digits, without and with a known word in the prefix.
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
