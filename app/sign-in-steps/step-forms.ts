import { z } from 'zod/mini'
import { email } from '#app/login/credentials.ts'

/** The code of a letter, with the address that it was sent to. */
export const codeForm = z.object({
  email,
  code: z.string('Type the code').check(z.trim(), z.minLength(1, 'Type the code'), z.maxLength(20, 'This is not a code')),
})

/** The second step of a sign-in: what an authenticator shows, or one of the codes that were laid by. */
export const secondStepForm = z.object({
  code: z.string('Type the code').check(z.trim(), z.minLength(1, 'Type the code'), z.maxLength(100, 'This is not a code')),
  factor: id('Choose an authenticator'),
  /** What the code of a message answers. */
  challenge: id('Send a code first'),
  recovery: z.optional(z.string()),
})

/** A pattern, for `z.uuid` would add its kilobyte to the script that all forms share. */
function id(sentence: string) {
  return z.optional(z.string().check(z.regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, sentence)))
}
