import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

type Call = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }

/** A fake SMS webhook. It listens before the settings that name it are read. */
const { hook, secret, state } = await vi.hoisted(async () => {
  const { listen } = await import('#test/http-server.ts')
  const { text } = await import('node:stream/consumers')
  const state: { calls: Call[]; answer: RequestListener } = { calls: [], answer: () => undefined }
  const hear = async (...[request, response]: Parameters<RequestListener>) => {
    const { method, url, headers } = request
    state.calls.push({ method, url, headers, body: await text(request) })
    state.answer(request, response)
  }
  const hook = await listen(hear)
  const [first = '', second] = ['a'.repeat(43), 'b'.repeat(43)].map((emails) => `${emails}=`)
  process.env.HOOK_SEND_SMS_SECRETS = `v1,whsec_${first}|v1,whsec_${second}`
  process.env.HOOK_SEND_SMS_URI = `${hook.url}/send?tenant=winnow`
  process.env.SMS_TEST_OTP = '15555550100:123456'
  return { hook, secret: first, state }
})

import { sendPhoneCode } from './sender.server.ts'

afterAll(() => hook.close())

beforeEach(() => {
  state.calls = []
  state.answer = (_request, response) => void response.end('{}')
})

const message = { phone: '4915112345678', code: '654321', userId: '018f7d3c-0000-7000-8000-000000000000' }

describe('happy', () => {
  test('the hook gets the code and the number, signed as a Standard Webhook with every secret', async () => {
    expect(await sendPhoneCode(message)).toBe(true)
    const [call] = state.calls
    expect([call?.method, call?.url]).toEqual(['POST', '/send?tenant=winnow'])
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      user: { id: message.userId, phone: message.phone },
      sms: { otp: '654321', phone: message.phone, channel: 'sms' },
    })
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(call?.headers[`webhook-${name}`]))
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    const own = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${call?.body}`).digest('base64')
    expect(signatures?.split(' ')).toHaveLength(2)
    expect(signatures?.split(' ')).toContain(`v1,${own}`)
  })

  test.each([200, 202, 204])('status %i means that it is on its way', async (status) => {
    state.answer = (_request, response) => void response.writeHead(status).end()
    expect(await sendPhoneCode(message)).toBe(true)
  })

  test('a number of the operator’s own tests has its code, and nobody is called', async () => {
    expect(await sendPhoneCode({ ...message, phone: '15555550100' })).toBe(true)
    expect(state.calls).toEqual([])
  })
})

describe('error', () => {
  const failures: [sentence: string, answer: RequestListener][] = [
    ['a refusal', (_request, response) => void response.writeHead(400).end('{}')],
    ['a failure', (_request, response) => void response.writeHead(500).end('oh')],
    ['an error in a friendly answer', (_request, response) => void response.end('{"error":{"http_code":429,"message":"slow down"}}')],
    ['a way elsewhere', (_request, response) => void response.writeHead(307, { location: '/other' }).end()],
    ['an answer without end', (_request, response) => void response.end('x'.repeat(30_000))],
    ['a line that is cut', (request) => void request.socket.destroy()],
  ]
  test.each(failures)('%s means that it was not sent, and is tried once', async (_sentence, failing) => {
    state.answer = failing
    expect(await sendPhoneCode(message)).toBe(false)
    expect(state.calls).toHaveLength(1)
  })
})
