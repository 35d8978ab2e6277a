import { Stop } from '#app/platform/stop.ts'
import { requestAccountLetter } from '#app/confirmation/account-letter.server.ts'
import { forgotPasswordForm, type LetterWish, readFields } from './credentials.ts'

/** Takes the form that asks for a letter to an account's address. */
export async function takeLetterWish(kind: 'confirmation' | 'recovery', fields: Record<string, string>): Promise<LetterWish> {
  const { email = '' } = fields
  const read = readFields(forgotPasswordForm, fields)
  if (!read.value) return { email, sent: false, error: read.errors['email'] ?? '' }
  try {
    await requestAccountLetter({ kind, email: read.value.email })
    return { email, sent: true }
  } catch (error) {
    if (error instanceof Stop) return { email, sent: false, error: error.data }
    throw error
  }
}
