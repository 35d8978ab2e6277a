/** Allows passphrases (ASVS 6.2.9 asks for at least 64), but no input that is costly to process. */
export const MOST_CHARACTERS = 128

export const TOO_LONG = `Password cannot be longer than ${MOST_CHARACTERS} characters`

/** One character has at most four code points of at most two units. Longer text is too long even before normalization. */
const MOST_UNITS = MOST_CHARACTERS * 8

/**
 * Normalizes a password, because keyboards compose the same character in different ways. The time grows with the square of the length,
 * so text that is too long is returned unchanged.
 */
export function composed(password: string): string {
  return password.length > MOST_UNITS ? password : password.normalize('NFC')
}

/** The length in characters as people count them, whatever their script. */
export function passwordLength(password: string): number {
  return password.length > MOST_UNITS ? password.length : Array.from(composed(password)).length
}
