import { expect, test, vi } from 'vitest'
import { repeatUntilDone } from './repeated.server.ts'

test('work is done again after each failure until it succeeds', async () => {
  const work = vi.fn<() => Promise<void>>(async () => {})
  work.mockRejectedValueOnce(new Error('one')).mockRejectedValueOnce(new Error('two'))
  const failures: unknown[] = []
  await repeatUntilDone(work, { pauseMs: 1, signal: new AbortController().signal, onFailure: (error) => failures.push(error) })
  expect(work).toHaveBeenCalledTimes(3)
  expect(failures).toEqual([new Error('one'), new Error('two')])
})

test('an abort ends the pause, and no failure is told after it', async () => {
  const stopping = new AbortController()
  const onFailure = vi.fn<() => void>(() => stopping.abort())
  await repeatUntilDone(() => Promise.reject(new Error('one')), { pauseMs: 60_000, signal: stopping.signal, onFailure })
  expect(onFailure).toHaveBeenCalledOnce()

  const again = new AbortController()
  const work = async () => {
    again.abort()
    throw new Error('the database is closed')
  }
  await repeatUntilDone(work, { pauseMs: 1, signal: again.signal, onFailure })
  await repeatUntilDone(work, { pauseMs: 1, signal: again.signal, onFailure })
  expect(onFailure).toHaveBeenCalledOnce()
})
