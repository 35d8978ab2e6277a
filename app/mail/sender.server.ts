import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { transaction } from '#app/platform/database/db.server.ts'
import { env, isInboxOpen } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { fetchBounded, FetchFailure } from '#app/platform/http/fetch-bounded.server.ts'
import { enqueueEmail } from './outbox.server.ts'
import { phoneCodeEmail } from './phone-code.email.tsx'

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

/** Short, because a person waits for the request that sends the message. */
const BOUNDS = { ms: 5000, bytes: 20_000 }

/** A hook may report a failure with status 200. */
const failed = z.object({ error: z.unknown().refine((error) => Boolean(error)) })

/** Passes a message to the configured Standard Webhook. Returns whether the webhook accepted it. */
async function callSendHook(url: string, { phone, code, userId, channel = 'sms' }: PhoneCode): Promise<boolean> {
  const body = JSON.stringify({ user: { id: userId, phone, aud: env.JWT_AUD }, sms: { otp: code, phone, channel } })
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...signed(body) }
  try {
    const { status, text } = await fetchBounded(url, { method: 'POST', headers, body }, BOUNDS)
    if (status >= 200 && status < 300 && !isFailure(text)) return true
    log.warn({ user: userId, status }, 'the SMS hook did not accept a message')
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    log.warn({ user: userId, reason: error.message }, 'the SMS hook did not accept a message')
  }
  return false
}

/** One signature per secret, so secrets can be rotated without a gap. */
function signed(body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signatures = (env.HOOK_SEND_SMS_SECRETS ?? []).map((secret) => {
    const digest = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${digest}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function isFailure(text: string): boolean {
  try {
    return failed.safeParse(JSON.parse(text)).success
  } catch {
    // The response is empty or plain text, so its status decides.
    return false
  }
}

/** A code for the phone of the user `userId`. The SMS webhook interprets channels other than `sms`. */
type PhoneCode = { phone: string; code: string; userId: string; channel?: 'sms' | 'whatsapp' }
