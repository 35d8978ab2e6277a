import { stop } from '#app/platform/stop.ts'

/** Runs work one at a time, because decoding takes memory. With more than `longest` in the queue, it refuses. */
export function oneAtATime(longest: number): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting >= longest) stop('unavailable', 'Many pictures are being made just now. Please try again in a moment.', { retryAfter: 5 })
    waiting += 1
    const made = last.then(work).finally(() => (waiting -= 1))
    last = made.catch(() => undefined)
    return made
  }
}
