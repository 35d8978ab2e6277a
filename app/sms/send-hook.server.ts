import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ask, AskFailure } from '#app/platform/ask.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import type { PhoneCode } from './phone-code.ts'

/** Someone waits for the answer of the request in which this happens. */
const BOUNDS = { ms: 5000, bytes: 20_000 }

/** A hook may answer politely that it could not. */
const failed = z.object({ error: z.unknown().refine((error) => Boolean(error)) })

/** Hands a message to whoever sends it, as a Standard Webhook. Answers whether it was taken. */
export async function callSendHook(url: string, { phone, code, userId, channel = 'sms' }: PhoneCode): Promise<boolean> {
  const body = JSON.stringify({ user: { id: userId, phone, aud: env.JWT_AUD }, sms: { otp: code, phone, channel } })
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...signed(body) }
  try {
    const { status, text } = await ask(url, { method: 'POST', headers, body }, BOUNDS)
    if (status >= 200 && status < 300 && !isFailure(text)) return true
    log.warn({ user: userId, status }, 'a message to a phone was not taken')
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error
    log.warn({ user: userId, reason: error.message }, 'a message to a phone was not taken')
  }
  return false
}

/** One signature for each secret, so that secrets can be changed without a gap. */
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
    // An empty answer, or one in words: its status says what it means.
    return false
  }
}
