import { performance } from 'node:perf_hooks'
import { cachedDataVersionTag } from 'node:v8'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { log } from '#app/platform/log.server.ts'
import { propertyOf } from '#app/platform/property.ts'
import { returnFreePages, watchMemory } from './memory.server.ts'

const said = vi.spyOn(log, 'info').mockImplementation(() => {})
const load = vi.spyOn(performance, 'eventLoopUtilization')
const loadOf = (utilization: number) => ({ idle: 1 - utilization, active: utilization, utilization })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  said.mockClear()
  load.mockReturnValue(loadOf(0))
})
afterEach(() => vi.useRealTimers())

/** How often memory has been returned after each of these times. */
function countsAfter(...seconds: number[]): number[] {
  return seconds.map((each) => {
    vi.advanceTimersByTime(each * 1000)
    return said.mock.calls.length
  })
}

test('memory is returned three times after a start, and not again while nothing happens', () => {
  const end = watchMemory()
  expect(countsAfter(4, 1, 10, 15, 15, 15)).toEqual([0, 1, 2, 3, 3, 3])
  expect(said).toHaveBeenCalledWith({ before: expect.any(Number), after: expect.any(Number) }, 'memory was given back')
  end()
})

test('code that V8 compiled before is of use after it', () => {
  const tag = cachedDataVersionTag()
  const end = watchMemory()
  expect(countsAfter(5)).toEqual([1])
  expect(cachedDataVersionTag()).toBe(tag)
  end()
})

test('a process with too many open files, which cannot read its memory, goes on', () => {
  const read = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('EMFILE: too many open files')
  })
  const end = watchMemory()
  expect(countsAfter(5, 10)).toEqual([0, 0])
  read.mockRestore()
  expect(countsAfter(15, 15, 15, 15)).toEqual([1, 2, 3, 3])
  end()
})

test('it waits until the work ends', () => {
  load.mockReturnValue(loadOf(0.9))
  const end = watchMemory()
  expect(countsAfter(5, 10, 15)).toEqual([0, 0, 0])
  load.mockReturnValue(loadOf(0))
  expect(countsAfter(15, 15, 15, 15)).toEqual([1, 2, 3, 3])
  end()
})

test('after the end nothing is returned', () => {
  watchMemory()()
  expect(countsAfter(5, 15, 15)).toEqual([0, 0, 0])
})

test('glibc returns its free pages, and another C library is left alone', () => {
  const isGlibc = propertyOf(propertyOf(process.report.getReport(), 'header'), 'glibcVersionRuntime') !== undefined
  expect(returnFreePages()).toBe(isGlibc)
})
