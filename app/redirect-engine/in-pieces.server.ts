import { setImmediate as others } from 'node:timers/promises'

/** In milliseconds: so long nobody else is served. */
const PIECE_MS = 10

/** Does long work to its end, and lets others have their turn whenever it has yielded for long enough. */
export async function inPieces<T>(work: Generator<void, T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - began < PIECE_MS) continue
    await others()
    began = performance.now()
  }
}
