/** What the specification and ASVS 6.2.9 leave room for: passphrases, and no input that is costly to read. */
export const MOST_CHARACTERS = 128

export const TOO_LONG = `Password cannot be longer than ${MOST_CHARACTERS} characters`

/** One character is composed of at most four code points, each of at most two units. Longer text need not be composed to be too long. */
const MOST_UNITS = MOST_CHARACTERS * 8

/**
 * The one spelling of a password: keyboards compose the same character in different ways. Composing takes time that grows with the square
 * of the length, so text that is too long stays as it is.
 */
export function composed(password: string): string {
  return password.length > MOST_UNITS ? password : password.normalize('NFC')
}

/** The length in characters as people count them, whatever their script. */
export function passwordLength(password: string): number {
  return password.length > MOST_UNITS ? password.length : Array.from(composed(password)).length
}
