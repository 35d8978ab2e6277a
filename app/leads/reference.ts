/** Letters and digits that are not mistaken for one another when read out: no I, L, O, U, 0, 1. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 6

const REFERENCE = new RegExp(`^W-[${ALPHABET}]{${LENGTH}}$`)

/** A new number to speak of an enquiry by, such as `W-7K3M9Q`. The database refuses one that exists. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint32Array(LENGTH))
  return `W-${Array.from(bytes, (value) => ALPHABET[value % ALPHABET.length]).join('')}`
}

/**
 * The number in the address of a page whose form was sent without script; empty when it is none, so that a page says nothing
 * that a link put into its mouth.
 */
export function sentReference(url: string): string | undefined {
  const sent = new URL(url).searchParams.get('sent')
  return sent === null ? undefined : isReference(sent) ? sent : ''
}

function isReference(text: string): boolean {
  return REFERENCE.test(text)
}
