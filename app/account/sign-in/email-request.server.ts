import { Stop } from '#app/platform/errors/stop.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { forgotPasswordForm, type EmailFormState, readFields } from './credentials.ts'

/** Handles the form that requests an email to an account's address. */
export async function submitEmailRequest(
  kind: 'confirmation' | 'recovery',
  fields: Record<string, string>,
  client: Client,
): Promise<EmailFormState> {
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
