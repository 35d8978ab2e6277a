import { setImmediate as others } from 'node:timers/promises'

/** In milliseconds: the longest time that the event loop is blocked. */
const PIECE_MS = 10

/** Runs a long generator to its end and yields to the event loop between its steps. */
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
