import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BoundedQueue, Busy } from './bounded-queue.server.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const queue = (given = {}) => new BoundedQueue({ atOnce: 2, longest: 3, patience: 700, ...given })

/** Records which work starts, in which order, and which is refused. */
function follow(bounded: BoundedQueue) {
  const began: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  const come = (name: string, isGone?: () => boolean) => {
    bounded
      .enter(isGone)
      .then((leave) => (began.push(name), ends.set(name, leave)))
      .catch((error: unknown) => refused.push(error instanceof Busy ? name : String(error)))
  }
  const leave = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { began, refused, come, leave }
}

const turn = () => new Promise(setImmediate)

test('work runs up to the limit at the same time; the rest queues in the order in which it came', async () => {
  const { began, refused, come, leave } = follow(queue())
  for (const name of 'abcde') come(name)
  await turn()
  expect(began).toEqual(['a', 'b'])
  await leave('b')
  expect(began).toEqual(['a', 'b', 'c'])
  await leave('a')
  await leave('c')
  expect([began, refused]).toEqual([['a', 'b', 'c', 'd', 'e'], []])
})

test('a request that finds the queue full is refused immediately, with a time to retry', async () => {
  const { began, refused, come } = follow(queue())
  for (const name of 'abcdef') come(name)
  await turn()
  expect([began, refused]).toEqual([['a', 'b'], ['f']])
  expect(new Busy()).toMatchObject({ status: 503, extra: { code: 'busy', retryAfter: 2 } })
})

test('a request that has queued too long is refused, and a later one gets the slot', async () => {
  const { began, refused, come, leave } = follow(queue())
  for (const name of 'abc') come(name)
  vi.advanceTimersByTime(600)
  come('d')
  vi.advanceTimersByTime(200)
  await turn()
  await leave('a')
  expect([began, refused]).toEqual([['a', 'b', 'd'], ['c']])
})

test('each request is refused at its own deadline, even while the work before it never ends', async () => {
  const { began, refused, come } = follow(queue())
  for (const name of 'abc') come(name)
  vi.advanceTimersByTime(400)
  come('d')
  vi.advanceTimersByTime(299)
  await turn()
  expect(refused).toEqual([])
  vi.advanceTimersByTime(1)
  await turn()
  expect(refused).toEqual(['c'])
  vi.advanceTimersByTime(400)
  await turn()
  expect([began, refused]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('no work is done for a visitor who has left, and releasing a slot twice frees one slot', async () => {
  const { began, come, leave } = follow(queue({ atOnce: 1 }))
  come('a')
  come('b', () => true)
  come('c')
  come('d')
  await turn()
  await leave('a')
  await leave('a')
  expect(began).toEqual(['a', 'c'])
})

test('work that fails releases its slot', async () => {
  const bounded = queue({ atOnce: 1 })
  await expect(bounded.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await bounded.run(async () => 'done')).toBe('done')
})
