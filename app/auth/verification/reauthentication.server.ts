import { audit } from '#app/auth/users/audit.server.ts'
import { type EmailRequester, spendOwnEmail, spendOwnMessage } from '#app/auth/tokens/mail-budget.server.ts'
import { issueToken } from '#app/auth/tokens/one-time-token.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { User } from '#app/auth/users/user.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { preparePhoneCode, sendOrRefuse } from './phone-code.server.ts'
import { reauthenticationEmail } from './reauthentication.email.tsx'

/** Sends a signed-in user a code to confirm their identity: by email, else to their phone. */
export async function requestNonce(user: User, from: EmailRequester): Promise<void> {
  const { email, phone } = user
  if (email) return mailNonce(user, email, from)
  if (!phone) refuse('validation_failed', { sentence: 'Reauthentication requires the user to have an email or a phone number' })
  if (!user.phoneConfirmedAt) refuse('phone_not_confirmed', { kind: 'unprocessable' })
  const undo = await spendOwnMessage('reauthentication', phone, from)
  const ready = await transaction(async (trx) => {
    await audit(trx, 'user_reauthenticate_requested', { actorId: user.id, subjectId: user.id })
    return preparePhoneCode(trx, user, 'reauthentication', phone)
  })
  await sendOrRefuse(ready, { undo })
}

async function mailNonce(user: User, email: string, from: EmailRequester): Promise<void> {
  if (!user.emailConfirmedAt) refuse('email_not_confirmed', { kind: 'unprocessable' })
  await spendOwnEmail('reauthentication', email, from)
  await transaction(async (trx) => {
    await trx.updateTable('users').set({ reauthenticationSentAt: new Date() }).where('id', '=', user.id).execute()
    await audit(trx, 'user_reauthenticate_requested', { actorId: user.id, subjectId: user.id })
    const { code } = await issueToken(trx, user.id, 'reauthentication', email)
    await enqueueEmail(trx, reauthenticationEmail(email, { code }))
  })
}
