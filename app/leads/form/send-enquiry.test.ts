import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { NOT_SENT } from '#app/platform/http/load.server.ts'
import { issueFormToken } from '#app/leads/spam/form-token.server.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, forgetLimits } from '#test/enquiries.ts'
import { enquiryToasts } from './enquiry-texts.ts'
import { sendEnquiry } from './send-enquiry.ts'

let base = ''
const sent: Request[] = []
/** A browser's fetch, which resolves paths against the page. */
const nodeFetch = globalThis.fetch

const app = await startEndpoints()

beforeAll(async () => {
  base = await app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  sent.length = 0
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    const request = new Request(new URL(path, base), init)
    sent.push(request.clone())
    return nodeFetch(request)
  })
  await forgetLimits()
})
afterEach(() => vi.unstubAllGlobals())

const attempt = (given: Record<string, string> = {}, key = crypto.randomUUID(), token?: string) => ({
  form: 'contact' as const,
  values: { ...ada, ...given },
  key,
  token,
})
const openedAgo = (ms: number) => issueFormToken(Date.now() - ms)
const countContacts = async () => (await db.selectFrom('contacts').select('id').execute()).length

describe('on a page', () => {
  beforeEach(() => {
    vi.stubGlobal('location', { href: `${base}/contact` })
    vi.stubGlobal('document', { referrer: '' })
  })

  test('an enquiry is answered with its number; cookies, a JSON body and the key of the attempt travel with it', async () => {
    const key = crypto.randomUUID()
    expect(await sendEnquiry(attempt({}, key))).toMatchObject({
      kind: 'received',
      receipt: { reference: expect.stringMatching(/^W-[2-9A-Z]{6}$/) },
    })
    const [request] = sent
    expect([request?.method, request?.credentials, request?.headers.get('idempotency-key'), request?.headers.get('content-type')]).toEqual([
      'POST',
      'include',
      key,
      'application/json',
    ])
    expect(await request?.json()).toEqual({ form: 'contact', ...ada, page: `${base}/contact`, referrer: '' })
  })

  test('sent again under the same key it is the same enquiry', async () => {
    const key = crypto.randomUUID()
    const first = await sendEnquiry(attempt({}, key))
    const before = await countContacts()
    expect(await sendEnquiry(attempt({}, key))).toEqual(first)
    expect(await countContacts()).toBe(before)
  })

  test('errors of the server are returned by field', async () => {
    expect(await sendEnquiry(attempt({ email: 'ada', message: 'too short' }))).toEqual({
      kind: 'refused',
      errors: { email: 'Invalid email address', message: 'Message must be at least 10 characters' },
    })
  })

  test('a demanded proof of work is computed and sent under the same key, and makes one enquiry', async () => {
    const key = crypto.randomUUID()
    const before = await countContacts()
    const doubtful = { message: 'Nice! <a href="https://spam.example">click</a> to see more' }
    expect(await sendEnquiry(attempt(doubtful, key, openedAgo(60_000)))).toMatchObject({ kind: 'received' })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([key, key])
    expect(await sent[1]?.json()).toMatchObject({ proof: { solution: { counter: expect.any(Number) } } })
    expect(await countContacts()).toBe(before + 1)
  })

  test('a server that answers no JSON, and one that cannot be reached, is told in a sentence that helps', async () => {
    const unreachable = 'We couldn’t send your message. Your text is still here. Please try again in a moment.'
    vi.stubGlobal('fetch', async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }))
    expect(await sendEnquiry(attempt())).toEqual({ kind: 'failed', reason: unreachable })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await sendEnquiry(attempt())).toEqual({ kind: 'failed', reason: unreachable })
    vi.stubGlobal('navigator', { onLine: false })
    expect(await sendEnquiry(attempt())).toMatchObject({
      reason: 'You’re offline. Your text is still here. Send it when you’re back online.',
    })
  })

  test('a busy server gets a few retries under the same key, and the enquiry arrives once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const pauses = async () => {
      while (sent.length < 3) {
        await new Promise(setImmediate)
        vi.runOnlyPendingTimers()
      }
      vi.useRealTimers()
    }
    const { fetch } = globalThis
    const before = await countContacts()
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      if (sent.length === 2) return fetch(path, init)
      sent.push(new Request(new URL(path, base), init))
      return Response.json({ detail: 'busy' }, { status: 503, headers: { 'retry-after': '2' } })
    })
    const [answer] = await Promise.all([sendEnquiry(attempt()), pauses()])
    expect(answer).toMatchObject({ kind: 'received' })
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(await countContacts()).toBe(before + 1)
  })

  test('a server that stays busy is not asked for ever, and its own words say that nothing was sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const asked: string[] = []
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path)
      const busy = { type: 'about:blank', title: 'Not available now', status: 503, detail: NOT_SENT, message: NOT_SENT, code: 'busy' }
      return Response.json(busy, { status: 503, headers: { 'retry-after': '2' } })
    })
    const answer = sendEnquiry(attempt())
    while (asked.length < 4) {
      await new Promise(setImmediate)
      vi.runOnlyPendingTimers()
    }
    vi.useRealTimers()
    expect(await answer).toEqual({ kind: 'failed', reason: NOT_SENT })
    expect(asked.length).toBe(4)
  })

  test('a refusal that names no field is told in the server’s own words', async () => {
    const key = crypto.randomUUID()
    await sendEnquiry(attempt({}, key))
    const answer = await sendEnquiry(attempt({ message: 'Other words under the same key.' }, key))
    expect(answer.kind === 'failed' && answer.reason).toMatch(/^[A-Z].* key .*\.$/)
  })
})

test('a form that failed says so, and to try again', () => {
  const failed = { title: 'Error', description: 'Failed to send message. Please try again.' }
  for (const form of ['contact', 'home', 'landing'] as const) expect(enquiryToasts(form).failed).toEqual(failed)
})

test('a form that was sent thanks, and says when the answer comes', () => {
  const sent = { title: 'Message Sent Successfully!', description: 'Thank you for your inquiry. We will get back to you within 24 hours.' }
  for (const form of ['contact', 'home', 'landing'] as const) expect(enquiryToasts(form).sent).toEqual(sent)
})

test('the hire form fails in words of its own', () => {
  expect(enquiryToasts('hire').failed).toEqual({ title: 'Error sending message', description: 'Please try again or contact us directly.' })
})

test('the hire form succeeds in words of its own', () => {
  const description = "We'll get back to you within 24 hours with a detailed proposal."
  expect(enquiryToasts('hire').sent).toEqual({ title: 'Message sent successfully!', description })
})
