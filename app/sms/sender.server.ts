import { post } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import { phoneCodeLetter } from './phone-code.email.tsx'
import { callSendHook } from './send-hook.server.ts'

/** A code for a phone; `user` is whose it is. Channels other than `sms` are the business of whoever sends. */
export type PhoneCode = { phone: string; code: string; userId: string; channel?: 'sms' | 'whatsapp' }

/** What sends: named in `/settings`, so that clients can tell. */
export const smsProvider = env.HOOK_SEND_SMS_URI ? 'webhook' : 'inbox'

/** The code that is always right for a number of the operator's own tests. */
export function testCodeOf(phone: string): string | undefined {
  return env.SMS_TEST_OTP.get(phone)
}

/**
 * Sends a code to a phone, now: whoever asked waits for it and hears when it could not be sent. Answers whether it is on its way. Where nothing
 * is set up to send, on one's own machine, it waits among the letters; anywhere else that is a failure.
 */
export async function sendPhoneCode(message: PhoneCode): Promise<boolean> {
  if (testCodeOf(message.phone)) return true
  if (env.HOOK_SEND_SMS_URI) return callSendHook(env.HOOK_SEND_SMS_URI, message)
  if (!isInboxOpen) {
    log.error({ user: message.userId }, 'nothing is set up to send messages to phones')
    return false
  }
  const { phone, code } = message
  await transaction((trx) => post(trx, phoneCodeLetter(`${phone}@phone.localhost`, { phone, code })))
  return true
}
