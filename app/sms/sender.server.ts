import { post } from '#app/mail/outbox.server.ts'
import { transaction } from '#app/platform/db.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import type { PhoneCode } from './phone-code.ts'
import { phoneCodeLetter } from './phone-code.email.tsx'
import { callSendHook } from './send-hook.server.ts'

/** What sends: named in `/settings`, so that clients can tell. */
export const smsProvider = env.HOOK_SEND_SMS_URI ? 'webhook' : 'inbox'

/** Whether messages to phones can be sent from here, or read here instead. */
export const canSendMessages = env.HOOK_SEND_SMS_URI !== undefined || isInboxOpen

/**
 * Sends a code to a phone, now: whoever asked waits for it and hears when it could not be sent. Answers whether it is on its way. Where nothing
 * is set up to send, on one's own machine, it waits among the letters; anywhere else that is a failure.
 */
export async function sendPhoneCode(message: PhoneCode): Promise<boolean> {
  // A number of the operator's own tests, whose code is always the same.
  if (env.SMS_TEST_OTP.has(message.phone)) return true
  if (env.HOOK_SEND_SMS_URI) return callSendHook(env.HOOK_SEND_SMS_URI, message)
  if (!isInboxOpen) {
    log.error({ user: message.userId }, 'nothing is set up to send messages to phones')
    return false
  }
  const { phone, code } = message
  await transaction((trx) => post(trx, phoneCodeLetter(`${phone}@phone.localhost`, { phone, code })))
  return true
}
