import { enqueueEmail } from './outbox.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import type { PhoneCode } from './phone-code.ts'
import { phoneCodeEmail } from './phone-code.email.tsx'
import { callSendHook } from './send-hook.server.ts'

/** SMS provider as `/settings` names it. */
export const smsProvider = env.HOOK_SEND_SMS_URI ? 'webhook' : 'inbox'

/** Whether SMS can be sent, or read in the development inbox. */
export const canSendMessages = env.HOOK_SEND_SMS_URI !== undefined || isInboxOpen

/**
 * Sends a code to a phone within the request, so the client learns of a failure. Returns whether it was sent. Without an SMS provider,
 * a development machine stores it as an email; any other installation fails.
 */
export async function sendPhoneCode(message: PhoneCode): Promise<boolean> {
  // Test numbers have a fixed code and get no message.
  if (env.SMS_TEST_OTP.has(message.phone)) return true
  if (env.HOOK_SEND_SMS_URI) return callSendHook(env.HOOK_SEND_SMS_URI, message)
  if (!isInboxOpen) {
    log.error({ user: message.userId }, 'no SMS service is set up')
    return false
  }
  const { phone, code } = message
  await transaction((trx) => enqueueEmail(trx, phoneCodeEmail(`${phone}@phone.localhost`, { phone, code })))
  return true
}
