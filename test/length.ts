/**
 * The length of tests that repeat: `npm test` runs them in a short form, `npm run bench -- at-length` at full length. Files that import this one
 * are the ones that the bench runs.
 */
/** Then the files named `.bench.test.ts` run as well, and the browser tests that are marked `atLength`. */
export const isFullLength = process.env['TEST_LENGTH'] === 'full'

/** The mark of a browser test that runs at full length only. */
export const atLength = { tag: '@at-length' }

/** A count, or another value, for each of the two lengths. */
export function byLength<T>(short: T, full: T): T {
  return isFullLength ? full : short
}

/** At full length, all values at each call. Else, the next `count` of them at each call, so that over many calls each value has its turn. */
export function inTurn<T>(values: readonly T[], count: number): () => T[] {
  let next = 0
  return () => {
    if (isFullLength) return [...values]
    next += count
    return [...values, ...values].slice((next - count) % values.length).slice(0, count)
  }
}
