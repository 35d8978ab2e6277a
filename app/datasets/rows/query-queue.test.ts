import { setImmediate as breath } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { QueryQueue } from './query-queue.server.ts'

/** A queue that runs one entry at a time, the order in which entries started, and a function that ends the running one. */
function queueOfOne() {
  const queue = new QueryQueue(1)
  const order: string[] = []
  const ends: (() => void)[] = []
  const enter = (name: string, signal = new AbortController().signal, mostWaiting = 20) =>
    queue.pass(
      () => {
        order.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      { signal, mostWaiting, person: name.slice(0, 1) },
    )
  const finish = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      ends.shift()?.()
      await breath()
    }
  }
  return { order, enter, finish }
}

test('people take turns: a second query comes after the first one of everyone else, whenever those arrived', async () => {
  const { order, enter, finish } = queueOfOne()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => enter(name))
  await finish(6)
  await Promise.all(all)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a person who sends one query after another gets one turn while each of the others gets one', async () => {
  const { order, enter, finish } = queueOfOne()
  const all = [enter('a1'), enter('a2'), enter('b1')]
  await finish(1)
  all.push(enter('a3'), enter('c1'))
  await finish(1)
  all.push(enter('b2'))
  await finish(5)
  await Promise.all(all)
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a query that is given up while it waits costs its sender no turn, and one person fills half of the line at most', async () => {
  const { order, enter, finish } = queueOfOne()
  const gone = new AbortController()
  const running = enter('a1')
  const left = enter('b1', gone.signal)
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const all = [enter('c1'), enter('b2'), enter('b3'), enter('b4')]
  await expect(enter('b5', gone.signal)).rejects.toThrow('gone')
  await expect(enter('b5', new AbortController().signal, 6)).rejects.toMatchObject({ status: 429 })
  all.push(enter('d1', new AbortController().signal, 6))
  await finish(7)
  await Promise.all([running, ...all])
  expect(order).toEqual(['a1', 'c1', 'b2', 'd1', 'b3', 'b4'])
})
