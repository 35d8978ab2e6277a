import { audit } from '#app/identity/audit.server.ts'
import { type Asker, spendMessage, spendOwnLetter } from '#app/account-letter/mail-budget.server.ts'
import { issueToken } from '#app/one-time-token/one-time-token.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import type { User } from '#app/identity/user.server.ts'
import { post } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import { preparePhoneCode, sendOrRefuse } from './phone-code.server.ts'
import { reauthenticationLetter } from './reauthentication.email.tsx'

/** Sends someone who is signed in a code that shows that it is still them: by letter, else to their phone. */
export async function requestNonce(user: User, from: Asker): Promise<void> {
  const { email, phone } = user
  if (email) return mailNonce(user, email, from)
  if (!phone) refuse('validation_failed', { sentence: 'Reauthentication requires the user to have an email or a phone number' })
  if (!user.phoneConfirmedAt) refuse('phone_not_confirmed', { kind: 'unprocessable' })
  await spendMessage('reauthentication', phone)
  const ready = await transaction(async (trx) => {
    await audit(trx, 'user_reauthenticate_requested', { actorId: user.id, subjectId: user.id })
    return preparePhoneCode(trx, user, 'reauthentication', phone)
  })
  await sendOrRefuse(ready)
}

async function mailNonce(user: User, email: string, from: Asker): Promise<void> {
  if (!user.emailConfirmedAt) refuse('email_not_confirmed', { kind: 'unprocessable' })
  await spendOwnLetter('reauthentication', email, from)
  await transaction(async (trx) => {
    await trx.updateTable('users').set({ reauthenticationSentAt: new Date() }).where('id', '=', user.id).execute()
    await audit(trx, 'user_reauthenticate_requested', { actorId: user.id, subjectId: user.id })
    const { code } = await issueToken(trx, user.id, 'reauthentication', email)
    await post(trx, reauthenticationLetter(email, { code }))
  })
}
