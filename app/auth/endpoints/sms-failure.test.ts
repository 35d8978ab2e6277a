import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

const message = z.object({ sms: z.object({ otp: z.string(), phone: z.string(), channel: z.string() }) })

/** A fake SMS service. */
const sender = await vi.hoisted(async () => {
  const { listen } = await import('#test/http-server.ts')
  const { json } = await import('node:stream/consumers')
  const sender = { works: true, messages: new Array<unknown>(), close: async () => undefined as void }
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    if (sender.works) sender.messages.push(await json(request))
    response.writeHead(sender.works ? 200 : 502).end()
  }
  const { url, close } = await listen(hear)
  sender.close = close
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
  process.env.HOOK_SEND_SMS_URI = `${url}/`
  process.env.HOOK_SEND_SMS_SECRETS = `v1,whsec_${'a'.repeat(43)}=`
  process.env.SMS_OTP_LENGTH = '8'
  process.env.SMS_OTP_EXP = '300'
  return sender
})

import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, tally } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(async () => {
  await forgetLimits()
  sender.works = true
  sender.messages = []
})
afterAll(() => sender.close())

const phone = '4915199990000'
const last = () => message.safeParse(sender.messages.at(-1)).data

async function signedIn(number = phone) {
  await call('POST', '/otp', { phone: number })
  const code = last()?.sms.otp ?? ''
  await forgetLimits()
  return sessionAnswer.parse((await call('POST', '/verify', { type: 'sms', phone: number, token: code })).json())
}

describe('happy', () => {
  test('the code goes only to the configured SMS service, and stays valid as long as configured', async () => {
    await call('POST', '/otp', { phone, channel: 'whatsapp' })
    expect(last()).toMatchObject({ sms: { otp: expect.stringMatching(/^\d{8}$/), phone, channel: 'whatsapp' } })
    expect(await emailsTo(`${phone}@phone.localhost`)).toEqual([])
    await sql`UPDATE one_time_tokens SET issued_at = now() - interval '299 seconds'`.execute(db)
    expect((await call('POST', '/verify', { type: 'sms', phone, token: last()?.sms.otp })).statusCode).toBe(200)
    expect((await call('GET', '/settings')).json().sms_provider).toBe('webhook')
  })
})

describe('error', () => {
  test('a failed message is reported, and may be requested again immediately', async () => {
    const session = await signedIn()
    const ways = [
      () => call('POST', '/otp', { phone }),
      () => call('POST', '/signup', { phone: '4915199990001', password: PASSWORD }),
      () => call('PUT', '/user', { phone: '4915199990002' }, bearer(session)),
      () => call('GET', '/reauthenticate', undefined, bearer(session)),
    ]
    for (const ask of ways) {
      sender.works = false
      const failed = await ask()
      expect([failed.statusCode, failed.json().code]).toEqual([422, 'sms_send_failed'])
      sender.works = true
      expect((await ask()).statusCode).toBe(200)
    }
  })
})

describe('security', () => {
  test('a number with an account and one without cannot be told apart by a failure', async () => {
    await signedIn()
    sender.works = false
    const replies = await Promise.all(
      [phone, '4915199990003'].map((number) => call('POST', '/signup', { phone: number, password: PASSWORD })),
    )
    expect(tally(replies)).toEqual({ 422: 2 })
    expect(replies[0]?.json()).toEqual(replies[1]?.json())
  })
})
