import { expect, test } from 'vitest'
import { durationMs } from '#app/platform/env.server.ts'

test.each([
  ['300ms', 300],
  ['1.5h', 5_400_000],
  ['2h45m', 9_900_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['-1m', -60_000],
  ['+1m', 60_000],
  ['0', 0],
  ['1000000ns', 1],
  ['1000µs', 1],
  ['876000h', 876_000 * 3_600_000],
])('%s is a time', (text, ms) => expect(durationMs(text)).toBeCloseTo(ms, 6))

test.each(['', 'h', '1', '1d', '1 h', '1h ', '-', '.h', '1h30', 'none', '1e3s', '2562048h', '1h'.repeat(80)])('%s is none', (text) =>
  expect(durationMs(text)).toBeUndefined(),
)
