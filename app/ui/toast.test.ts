import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToast, listToasts, pauseToast, resumeToast, toast } from './toast.ts'

let earlier: ReturnType<typeof listToasts> = []

beforeEach(() => {
  // Test files share modules: another file may have left toasts, with real timers.
  dismissToast()
  earlier = listToasts()
  vi.useFakeTimers()
})
afterEach(() => {
  dismissToast()
  vi.advanceTimersByTime(1_000_000)
  vi.useRealTimers()
})

const listed = () => listToasts().filter((entry) => !earlier.includes(entry))
const shown = () => listed().filter((entry) => entry.open)

test('a toast is shown for 5000 ms', () => {
  toast({ title: 'Download Started' })
  vi.advanceTimersByTime(4_999)
  expect(shown()).toMatchObject([{ title: 'Download Started' }])
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('one toast is shown at a time, the newest', () => {
  toast({ title: 'First' })
  vi.advanceTimersByTime(3_000)
  toast({ title: 'Second' })
  expect(shown()).toMatchObject([{ title: 'Second' }])
  vi.advanceTimersByTime(4_999)
  expect(shown()).toHaveLength(1)
})

test('a dismissed toast stays in the history for 1,000,000 ms', () => {
  toast({ title: 'Success!' })
  dismissToast()
  vi.advanceTimersByTime(999_999)
  expect(listed()).toMatchObject([{ title: 'Success!', open: false }])
  vi.advanceTimersByTime(1)
  expect(listed()).toEqual([])
})

test('the timer pauses while someone reads, and resumes with the remaining time', () => {
  toast({ title: 'Error', look: 'danger' })
  vi.advanceTimersByTime(4_000)
  pauseToast()
  vi.advanceTimersByTime(60_000)
  expect(shown()).toHaveLength(1)
  resumeToast()
  resumeToast()
  vi.advanceTimersByTime(999)
  expect(shown()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})

test('a toast with a button is shown for 10 s', () => {
  toast({ title: 'Deleted', button: 'Undo' })
  vi.advanceTimersByTime(9_999)
  expect(shown()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(shown()).toEqual([])
})
