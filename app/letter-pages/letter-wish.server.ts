import { Stop } from '#app/platform/stop.ts'
import type { Client } from '#app/session/client.ts'
import { accounts } from '#app/login/accounts.server.ts'
import { forgotPasswordForm, type LetterWish, readFields } from '#app/login/credentials.ts'

/** Takes the form that asks for a letter to an account's address. */
export async function takeLetterWish(
  kind: 'confirmation' | 'recovery',
  fields: Record<string, string>,
  client: Client,
): Promise<LetterWish> {
  const { email = '' } = fields
  const read = readFields(forgotPasswordForm, fields)
  if (!read.value) return { email, sent: false, error: read.errors['email'] ?? '' }
  try {
    await accounts.sendLetter(kind, read.value.email, client)
    return { email, sent: true }
  } catch (error) {
    if (error instanceof Stop) return { email, sent: false, error: error.data }
    throw error
  }
}
