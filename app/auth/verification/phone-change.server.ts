import { type EmailRequester, spendNewPhoneMessage } from '#app/auth/tokens/mail-budget.server.ts'
import type { User } from '#app/auth/users/user.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { changePhone } from './address.server.ts'
import { preparePhoneCode, type ReadyCode } from './phone-code.server.ts'

/** Counts the message of a requested change. Returns an undo for a message that could not be sent. */
export async function spendPhoneChange(user: User, phone: string, from: EmailRequester): Promise<() => Promise<void>> {
  return env.SMS_AUTOCONFIRM ? async () => undefined : spendNewPhoneMessage('phone_change', phone, user.id, from)
}

/**
 * Stores the new number and returns the message to it; with auto-confirm it takes effect immediately. A number in use gets the same
 * message: only its owner, with the code, learns that it is in use.
 */
export async function requestPhoneChange(trx: Trx, user: User, phone: string): Promise<ReadyCode | undefined> {
  if (env.SMS_AUTOCONFIRM) {
    await changePhone(trx, user, phone, { isAssumed: true })
    return undefined
  }
  await trx.updateTable('users').set({ newPhone: phone, updatedAt: new Date() }).where('id', '=', user.id).execute()
  return preparePhoneCode(trx, user, 'phone_change', phone)
}
