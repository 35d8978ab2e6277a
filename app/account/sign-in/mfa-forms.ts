import { z } from 'zod/mini'
import { email } from './credentials.ts'

/** The emailed code, with its address. */
export const codeForm = z.object({
  email,
  code: z.string('Type the code').check(z.trim(), z.minLength(1, 'Type the code'), z.maxLength(20, 'This is not a code')),
})

/** The second factor of a sign-in: an authenticator's code, or a recovery code. */
export const mfaForm = z.object({
  code: z.string('Type the code').check(z.trim(), z.minLength(1, 'Type the code'), z.maxLength(100, 'This is not a code')),
  factor: id('Choose an authenticator'),
  /** The challenge of the sent message. */
  challenge: id('Send a code first'),
  recovery: z.optional(z.string()),
})

/** A pattern, because `z.uuid` would add 1 kB to the script that all forms share. */
function id(sentence: string) {
  return z.optional(z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, sentence)))
}
