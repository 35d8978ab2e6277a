import { expect, test } from 'vitest'
import { BoundedQueue, Busy } from './bounded-queue.server.ts'

let time = 0
const queue = (given = {}) => new BoundedQueue({ atOnce: 2, longest: 3, patience: 700, now: () => time, ...given })

/** Follows who has got a turn, in which order, and who was refused. */
function follow(bounded: BoundedQueue) {
  const began: string[] = []
  const refused: string[] = []
  const ends = new Map<string, () => void>()
  const come = async (name: string, isGone?: () => boolean) => {
    const turn = bounded.enter(isGone)
    await turn.then(
      (leave) => void (began.push(name), ends.set(name, leave)),
      (error: unknown) => void (error instanceof Busy && refused.push(name)),
    )
  }
  const leave = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { began, refused, come, leave }
}

const turn = () => new Promise(setImmediate)

test('as much work as it may runs at once; the rest waits and follows in the order in which it came', async () => {
  const { began, refused, come, leave } = follow(queue())
  for (const name of 'abcde') void come(name)
  await turn()
  expect(began).toEqual(['a', 'b'])
  await leave('b')
  expect(began).toEqual(['a', 'b', 'c'])
  await leave('a')
  await leave('c')
  expect([began, refused]).toEqual([['a', 'b', 'c', 'd', 'e'], []])
})

test('who finds the queue full is refused at once and told when to come back', async () => {
  const { began, refused, come } = follow(queue())
  for (const name of 'abcdef') void come(name)
  await turn()
  expect([began, refused]).toEqual([['a', 'b'], ['f']])
  expect(new Busy()).toMatchObject({ status: 503, extra: { code: 'busy', retryAfter: 2 } })
})

test('who has waited too long is refused, and who came later gets the turn', async () => {
  const { began, refused, come, leave } = follow(queue())
  for (const name of 'abc') void come(name)
  time += 600
  void come('d')
  time += 200
  await turn()
  await leave('a')
  expect([began, refused]).toEqual([['a', 'b', 'd'], ['c']])
})

test('nothing is done for a visitor who has left, and ending a turn twice frees one place', async () => {
  const { began, come, leave } = follow(queue({ atOnce: 1 }))
  void come('a')
  void come('b', () => true)
  void come('c')
  void come('d')
  await turn()
  await leave('a')
  await leave('a')
  expect(began).toEqual(['a', 'c'])
})

test('work that fails frees its place', async () => {
  const bounded = queue({ atOnce: 1 })
  await expect(bounded.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await bounded.run(async () => 'done')).toBe('done')
})
