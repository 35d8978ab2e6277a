import { spendStrangeMessage } from '#app/account-letter/mail-budget.server.ts'
import type { User } from '#app/identity/user.server.ts'
import type { Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { changePhone } from './address.server.ts'
import { preparePhoneCode, type ReadyCode } from './phone-code.server.ts'

/** Counts the message of a change that a user asks for. */
export async function spendPhoneChange(user: User, phone: string): Promise<void> {
  if (!env.SMS_AUTOCONFIRM) await spendStrangeMessage('phone_change', phone, user.id)
}

/**
 * Remembers the number that a user wants to have, and returns the message to it; without confirmation it takes effect at once. A number that
 * another account has gets the message as well: only its holder, with the code, learns that it is in use.
 */
export async function requestPhoneChange(trx: Trx, user: User, phone: string): Promise<ReadyCode | undefined> {
  if (env.SMS_AUTOCONFIRM) {
    await changePhone(trx, user, phone, { isAssumed: true })
    return undefined
  }
  await trx.updateTable('users').set({ newPhone: phone, updatedAt: new Date() }).where('id', '=', user.id).execute()
  return preparePhoneCode(trx, user, 'phone_change', phone)
}
