import { z } from 'zod/mini'
import { uuid } from '#app/platform/text/uuid.ts'
import { email } from './credentials.ts'

/** Apps and people write a code in groups. */
const code = (most: number) =>
  z.string('Enter the code').check(
    z.overwrite((text) => text.replaceAll(/\s/g, '')),
    z.minLength(1, 'Enter the code'),
    z.maxLength(most, 'This isn’t a valid code'),
  )

/** The emailed code, with its address. */
export const codeForm = z.object({ email, code: code(20) })

/** The second factor of a sign-in: an authenticator's code, or a recovery code. */
export const mfaForm = z.object({
  code: code(100),
  factor: id('Choose an authenticator'),
  /** The challenge of the sent message. */
  challenge: id('Send a code first'),
  recovery: z.optional(z.string()),
})

/** A pattern, because `z.uuid` would add 1 kB to the script that all forms share. */
function id(sentence: string) {
  return z.optional(uuid(sentence))
}
