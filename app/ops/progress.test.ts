import { expect, test } from 'vitest'
import { countPhase, estimateTimeLeft, showProgress } from './progress.server.ts'

/** A stream that records its text, and a clock that the test sets. */
function watch(stream: { isTTY?: boolean; columns?: number }) {
  const clock = { ms: 0 }
  const written: string[] = []
  const shown = showProgress({ ...stream, write: (text) => written.push(text) }, () => clock.ms)
  return { ...shown, clock, written }
}

test('the time left follows the rate of the last ten seconds', () => {
  const estimate = estimateTimeLeft()
  expect(estimate({ ms: 0, done: 0, total: 1000 })).toBeUndefined()
  expect(estimate({ ms: 500, done: 100, total: 1000 })).toBeUndefined()
  expect(estimate({ ms: 1000, done: 200, total: 1000 })).toBe(4)
  // Ten seconds later the work is ten times slower, and the fast start no longer counts.
  expect(estimate({ ms: 12_000, done: 220, total: 1000 })).toBeUndefined()
  expect(estimate({ ms: 22_000, done: 420, total: 1000 })).toBe(29)
})

test('work that does not advance has no time left', () => {
  const estimate = estimateTimeLeft()
  estimate({ ms: 0, done: 5, total: 10 })
  expect(estimate({ ms: 5000, done: 5, total: 10 })).toBeUndefined()
})

test('a terminal shows one line that is rewritten: phase, share, counts and time left', () => {
  const { report, end, clock, written } = watch({ isTTY: true, columns: 80 })
  const add = countPhase(report, { phase: 'Loading rows', total: 1_000_000, unit: 'rows' })
  clock.ms = 1000
  add(250_000)
  clock.ms = 1050
  add(1)
  end()
  expect(written).toEqual([
    '\r\u001B[2KLoading rows: 0%, 0 of 1,000,000 rows',
    '\r\u001B[2KLoading rows: 25%, 250,000 of 1,000,000 rows, 3 s left',
    '\r\u001B[2K',
  ])
})

test.each([
  [{ phase: 'Checking', done: 1_500_000, total: 3_000_000, unit: 'bytes' }, 'Checking: 50%, 1.5 MB of 3.0 MB'],
  [{ phase: 'Checking', done: 15e8, total: 3e9, unit: 'bytes' }, 'Checking: 50%, 1.50 GB of 3.00 GB'],
  [{ phase: 'Profiling', done: 0.456, total: 1 }, 'Profiling: 45%'],
  [{ phase: 'Loading rows', done: 0, total: 0, unit: 'rows' }, 'Loading rows: 100%, 0 of 0 rows'],
  [{ phase: 'Building' }, 'Building … 0 s'],
])('a phase %j reads %s', (progress, line) => {
  const { report, end, written } = watch({ isTTY: true })
  report(progress)
  end()
  expect(written[0]).toBe(`\r\u001B[2K${line}`)
})

test.each([
  [30_000, '30 s left'],
  [600_000, '10 min left'],
  [6_000_000, '1 h 40 min left'],
])('with %i ms left, the line says %s', (ms, words) => {
  const { report, end, clock, written } = watch({ isTTY: true })
  const add = countPhase(report, { phase: 'Loading', total: 1000 + ms, unit: 'rows' })
  clock.ms = 1000
  add(1000)
  end()
  expect(written[1]).toMatch(new RegExp(`, ${words}$`))
})

test('a line never wraps in a narrow terminal', () => {
  const { report, end, written } = watch({ isTTY: true, columns: 20 })
  report({ phase: 'Loading rows', done: 1, total: 1000, unit: 'rows' })
  end()
  expect(written[0]).toBe('\r\u001B[2KLoading rows: 0%, 1')
})

test('a terminal that says it has no width gets the whole line', () => {
  const { report, end, written } = watch({ isTTY: true, columns: 0 })
  report({ phase: 'Loading rows', done: 1, total: 1000, unit: 'rows' })
  end()
  expect(written[0]).toBe('\r\u001B[2KLoading rows: 0%, 1 of 1,000 rows')
})

test('outside a terminal, each phase is one line', () => {
  const { report, end, written } = watch({})
  const add = countPhase(report, { phase: 'Loading rows', total: 2, unit: 'rows' })
  add(1)
  add(1)
  report({ phase: 'Building indexes' })
  end()
  expect(written).toEqual(['Loading rows …\n', 'Building indexes …\n'])
})
