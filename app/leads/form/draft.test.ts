import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearDraft, draftKey, readEnquiryDraft, saveDraft } from './draft.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** An in-memory localStorage. */
function newStorage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

let storage: ReturnType<typeof newStorage>

beforeEach(() => {
  storage = newStorage()
  vi.stubGlobal('localStorage', storage)
  vi.useFakeTimers({ now: new Date('2026-10-05T12:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const values = { name: 'Ada', message: 'We compare prices by hand.' }
const attempt = { key: 'k1', content: '{}' }

test('the typed text is restored, with the attempt that may have arrived', () => {
  saveDraft('contact', { values, attempt })
  expect(readEnquiryDraft('contact')).toMatchObject({ values, attempt })
})

test('each form keeps its own words', () => {
  saveDraft('contact', { values, attempt: undefined })
  expect(readEnquiryDraft('hire')).toBeUndefined()
  expect([...storage.kept.keys()]).toEqual([draftKey('contact')])
})

test('they are forgotten after a week, and as soon as they were sent', () => {
  saveDraft('home', { values, attempt: undefined })
  vi.advanceTimersByTime(7 * DAY_MS - 1)
  expect(readEnquiryDraft('home')).toMatchObject({ values })
  vi.advanceTimersByTime(1)
  expect(readEnquiryDraft('home')).toBeUndefined()
  saveDraft('home', { values, attempt: undefined })
  clearDraft('home')
  expect(storage.kept.size).toBe(0)
})

test('an emptied form leaves nothing behind', () => {
  saveDraft('contact', { values, attempt })
  saveDraft('contact', { values: { name: '', message: '' }, attempt })
  expect(storage.kept.size).toBe(0)
})

test.each(['', 'x', 'null', '[]', '{}', '{"values":{"name":1},"savedAt":0}', '{"values":{},"savedAt":"now"}'])(
  'what is no draft of ours is none: %j',
  (text) => {
    storage.setItem(draftKey('contact'), text)
    expect(readEnquiryDraft('contact')).toBeUndefined()
  },
)

test('a browser that refuses storage does not block the form', () => {
  const refuse = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  saveDraft('contact', { values, attempt })
  clearDraft('contact')
  expect(readEnquiryDraft('contact')).toBeUndefined()
})
