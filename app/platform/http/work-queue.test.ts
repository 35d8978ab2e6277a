import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Busy, WorkQueue } from './work-queue.server.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const waiting = { room: 3, patience: 700 }

/** Records which work starts, in which order, and which is refused. */
function follow(queue: WorkQueue) {
  const began: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  const come = (name: string, { priority, response }: { priority?: number; response?: ServerResponse } = {}) => {
    queue
      .enter({ ...waiting, ...(priority !== undefined && { priority }) }, response)
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
  const { began, refused, come, leave } = follow(new WorkQueue(2))
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
  const { began, refused, come } = follow(new WorkQueue(2))
  for (const name of 'abcdef') come(name)
  await turn()
  expect([began, refused]).toEqual([['a', 'b'], ['f']])
  expect(new Busy()).toMatchObject({ status: 503, extra: { code: 'busy', retryAfter: 2 } })
})

test('a request that has queued too long is refused, and a later one gets the slot', async () => {
  const { began, refused, come, leave } = follow(new WorkQueue(2))
  for (const name of 'abc') come(name)
  vi.advanceTimersByTime(600)
  come('d')
  vi.advanceTimersByTime(200)
  await turn()
  await leave('a')
  expect([began, refused]).toEqual([['a', 'b', 'd'], ['c']])
})

test('each request is refused at its own deadline, even while the work before it never ends', async () => {
  const { began, refused, come } = follow(new WorkQueue(2))
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
  const { began, come, leave } = follow(new WorkQueue(1))
  come('a')
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  come('b', { response })
  come('c')
  come('d')
  response.emit('close')
  await turn()
  await leave('a')
  await leave('a')
  expect(began).toEqual(['a', 'c'])
})

test('work that fails releases its slot', async () => {
  const queue = new WorkQueue(1)
  await expect(queue.run(waiting, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run(waiting, async () => 'done')).toBe('done')
})

test('work of a higher priority starts first, and has room of its own', async () => {
  const { began, refused, come, leave } = follow(new WorkQueue(1))
  for (const name of 'abcde') come(name)
  for (const name of 'uvwx') come(name, { priority: 1 })
  await turn()
  expect(refused).toEqual(['e', 'x'])
  for (const name of 'auvwbc') await leave(name)
  expect(began.join('')).toBe('auvwbcd')
})
