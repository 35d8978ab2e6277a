import { vi } from 'vitest'

/**
 * Repeats a check until it passes, and returns its result. Waits are usually short, but longer on a machine that is busy with other tests:
 * after 20 seconds the last failure counts. Times in milliseconds.
 */
export function eventually<Result>(check: () => Result | Promise<Result>, { timeout = 20_000, interval = 50 } = {}): Promise<Result> {
  return vi.waitFor(check, { timeout, interval })
}
