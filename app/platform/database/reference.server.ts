import { randomInt } from 'node:crypto'

/** Characters that are not confused when read aloud: no I, L, O, U, 0, 1. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 6

const REFERENCE = new RegExp(`^W-[${ALPHABET}]{${LENGTH}}$`)

/**
 * A new reference, such as `W-7K3M9Q`; those of calls begin with `C`, of organizations with `O`, of orders with `B`, of subscriptions with `S`,
 * of proposals with `Q`. The database refuses a duplicate.
 */
export function newReference(initial: 'W' | 'C' | 'O' | 'B' | 'S' | 'Q' = 'W'): string {
  // `randomInt` takes its numbers from a pool, which costs far less than a call for each reference.
  return `${initial}-${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`
}

/**
 * The reference in the URL of a page whose form was sent without JavaScript; empty when it is not one, so a link cannot inject its own
 * text.
 */
export function sentReference(url: string): string | undefined {
  const sent = new URL(url).searchParams.get('sent')
  return sent === null ? undefined : isReference(sent) ? sent : ''
}

function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
