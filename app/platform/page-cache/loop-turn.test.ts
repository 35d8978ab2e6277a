import { expect, test } from 'vitest'
import { LoopTurn } from './loop-turn.server.ts'

const nextTurn = () => new Promise(setImmediate)

test('a turn of the event loop begins requests for 4 ms, the next turns begin the rest in their order', async () => {
  let now = 0
  const turn = new LoopTurn(() => now)
  const begun: number[] = []
  const counts: number[] = []
  for (let request = 0; request < 9; request += 1) {
    turn.run(() => {
      begun.push(request)
      now += 1
    })
  }
  counts.push(begun.length)
  expect(turn.isOpen).toBe(false)
  for (let round = 0; round < 3; round += 1) {
    await nextTurn()
    counts.push(begun.length)
  }
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  expect(counts).toEqual([4, 8, 9, 9])
  expect(turn.isOpen).toBe(true)
})

test('a request that comes while others wait does not overtake them', async () => {
  let now = 0
  const turn = new LoopTurn(() => now)
  const begun: string[] = []
  turn.run(() => (now += 5))
  turn.run(() => begun.push('first'))
  await Promise.resolve()
  turn.run(() => begun.push('second'))
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['first', 'second'])
})

test('while connections arrive, turns only accept them, for 4 ms at most', async () => {
  let now = 0
  const turn = new LoopTurn(() => now)
  const begun: string[] = []
  turn.run(() => (now += 5))
  turn.run(() => begun.push('late'))
  const counts: number[] = []
  for (let round = 0; round < 6; round += 1) {
    turn.onConnection()
    now += 1
    await nextTurn()
    counts.push(begun.length)
  }
  expect(counts).toEqual([0, 0, 0, 0, 1, 1])
})

test('requests start as soon as no more connections arrive', async () => {
  let now = 0
  const turn = new LoopTurn(() => now)
  const begun: string[] = []
  turn.run(() => (now += 5))
  turn.run(() => begun.push('next'))
  turn.onConnection()
  await nextTurn()
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['next'])
})
