import { afterEach, expect, test, vi } from 'vitest'
import { log } from '#app/platform/log.server.ts'
import { watchMemory } from './memory.server.ts'

const realTimeout = setTimeout
/** The event loop must have been idle since the last look. */
const rest = () => new Promise((resolve) => realTimeout(resolve, 300))

afterEach(() => vi.useRealTimers())

test('memory is returned twice after a start, and not again while nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  const said = vi.spyOn(log, 'info').mockImplementation(() => {})
  const end = watchMemory()
  const counts: number[] = []
  for (const seconds of [5, 10, 15, 15]) {
    await rest()
    vi.advanceTimersByTime(seconds * 1000)
    counts.push(said.mock.calls.length)
  }
  end()
  expect(counts).toEqual([1, 2, 2, 2])
  expect(said.mock.calls[0]).toEqual([{ before: expect.any(Number), after: expect.any(Number) }, 'memory was given back'])
})

test('after the end it does nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  const said = vi.spyOn(log, 'info').mockImplementation(() => {})
  said.mockClear()
  watchMemory()()
  await rest()
  vi.advanceTimersByTime(20_000)
  expect(said).not.toHaveBeenCalled()
})
