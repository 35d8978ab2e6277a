import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LEAST_FILL_MS, openEnquiryForm, ripeToken } from './form-token.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answer = (body: string, status = 200) => vi.stubGlobal('fetch', async () => new Response(body, { status }))

test('a form that was open long enough sends its token immediately', async () => {
  answer('{"token":"t1"}')
  const opening = openEnquiryForm()
  await opening
  vi.advanceTimersByTime(LEAST_FILL_MS)
  expect(await ripeToken(opening)).toBe('t1')
})

test('a quick person does not look like a machine: the token waits until it is old enough', async () => {
  answer('{"token":"t1"}')
  const opening = openEnquiryForm()
  await opening
  vi.advanceTimersByTime(500)
  let token: string | undefined
  const waiting = ripeToken(opening).then((ripe) => (token = ripe))
  await vi.advanceTimersByTimeAsync(LEAST_FILL_MS - 501)
  expect(token).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(token).toBe('t1')
})

test.each(['', '<html>', 'null', '{}', '{"token":7}'])('an answer without a token holds nobody up: %j', async (body) => {
  answer(body)
  expect(await ripeToken(openEnquiryForm())).toBeUndefined()
})

test('neither does a server that cannot be reached, nor a form that was never opened', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await ripeToken(openEnquiryForm())).toBeUndefined()
  expect(await ripeToken(undefined)).toBeUndefined()
})
