import { spendStrangeMessage } from '#app/account-letter/mail-budget.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUserByPhone, type User } from '#app/identity/user.server.ts'
import { db, type Trx } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { changePhone } from './address.server.ts'
import { preparePhoneCode, type ReadyCode } from './phone-code.server.ts'

/** A number belongs to one account. */
export async function refuseTakenPhone(phone: string): Promise<void> {
  if (!env.EXTERNAL_PHONE_ENABLED) refuse('phone_provider_disabled', { kind: 'unprocessable' })
  if (await findUserByPhone(db, phone)) refuse('phone_exists')
}

/** Counts the message of a change that a user asks for. */
export async function spendPhoneChange(user: User, phone: string): Promise<void> {
  if (!env.SMS_AUTOCONFIRM) await spendStrangeMessage('phone_change', phone, user.id)
}

/** Remembers the number that a user wants to have, and answers the message to it; without confirmation it takes effect at once. */
export async function requestPhoneChange(trx: Trx, user: User, phone: string): Promise<ReadyCode | undefined> {
  if (env.SMS_AUTOCONFIRM) {
    await changePhone(trx, user, phone)
    return undefined
  }
  await trx.updateTable('users').set({ newPhone: phone, updatedAt: new Date() }).where('id', '=', user.id).execute()
  return preparePhoneCode(trx, user, 'phone_change', phone)
}
