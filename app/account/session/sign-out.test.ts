import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startEndpoints } from '#test/app.ts'
import { PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'

const app = await startEndpoints()
const ORIGIN = 'http://localhost:3000'
let isOnline = true
let stored = new Map<string, string>()

const working = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}
const refuse = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}
const refusing = { getItem: refuse, setItem: refuse, removeItem: refuse }

beforeEach(() => {
  isOnline = true
  stored = new Map()
  const from = browser(app)
  vi.stubGlobal('location', new URL(ORIGIN))
  vi.stubGlobal('document', { referrer: '' })
  vi.stubGlobal('fetch', async (input: string, { method, headers, body }: RequestInit = {}) => {
    if (!isOnline) throw new TypeError('Failed to fetch')
    const { pathname, search } = new URL(input)
    const reply = await from.send({
      method: method === 'POST' ? 'POST' : 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { payload: body }),
    })
    const isEmpty = reply.statusCode === 204
    return new Response(isEmpty ? null : reply.body, { status: reply.statusCode, headers: { 'content-type': 'application/json' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

async function openDocument() {
  vi.resetModules()
  return import('./auth.ts')
}

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const page = await openDocument()
  expect(await page.signInWithPassword({ email, password: PASSWORD })).toEqual({ mfaPending: false })
  return page
}

test('a person whose browser refuses storage signs in and out', async () => {
  vi.stubGlobal('localStorage', refusing)
  const page = await signedIn()
  expect(await page.signOut()).toEqual({})
  expect(page.hasSignedOut()).toBe(false)
  expect(await page.restoreSession()).toBe(false)
})

test('a sign-out that does not reach the server says so, and the person counts as signed in', async () => {
  vi.stubGlobal('localStorage', working)
  await signedIn()
  // A new document begins without the session in its memory, so it asks the server first.
  const page = await openDocument()
  isOnline = false
  // The client tries for half a minute.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  const tried = page.signOut()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  expect(await tried).toEqual({ failure: { message: 'Sign out failed', code: undefined } })
  expect([page.hasSignedOut(), [...stored.keys()]]).toEqual([false, []])
  isOnline = true
  const reloaded = await openDocument()
  expect(await reloaded.signOut()).toEqual({})
  expect(reloaded.hasSignedOut()).toBe(true)
})
