import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listToasts } from '#app/ui/toast.ts'

const visited: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  visited.length = 0
  vi.stubGlobal('location', { pathname: '/dashboard', search: '?q=a b&tab=contacts', assign: (url: string) => void visited.push(url) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an ended session shows a notice and opens the sign-in page after 500 ms, once for all failed calls', async () => {
  const { signInAgain } = await import('./signed-out.ts')
  for (let failed = 0; failed < 5; failed += 1) signInAgain()
  expect(listToasts()).toMatchObject([{ title: 'Unauthorized', description: 'You are logged out. Logging in again...', look: 'danger' }])
  vi.advanceTimersByTime(499)
  expect(visited).toEqual([])
  vi.advanceTimersByTime(1)
  expect(visited).toEqual(['/api/login?next=%2Fdashboard%3Fq%3Da%20b%26tab%3Dcontacts&notice=ended'])
  vi.advanceTimersByTime(60_000)
  expect(visited).toHaveLength(1)
})
