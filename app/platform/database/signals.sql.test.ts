import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from './open.server.ts'
import { closeSignals, onSignal, openSignals, signal } from './signals.server.ts'

beforeAll(async () => {
  await openDatabase()
  await openSignals()
})
afterAll(async () => {
  await closeSignals()
  await closeDatabase()
})

test('what is signalled is heard, with what it carries, until the listener goes', async () => {
  const heard: unknown[] = []
  const end = onSignal('test', (payload) => heard.push(payload))
  await signal('test', { id: 1 })
  await expect.poll(() => heard).toEqual([{ id: 1 }])

  end()
  await signal('test', { id: 2 })
  await signal('other')
  expect(heard).toHaveLength(1)
})

test('a subscription outlives the connection: what is signalled after closing and opening again is heard', async () => {
  const heard: unknown[] = []
  const end = onSignal('later', (payload) => heard.push(payload))
  await closeSignals()
  await openSignals()
  await signal('later', { id: 3 })
  await expect.poll(() => heard).toEqual([{ id: 3 }])
  end()
})
