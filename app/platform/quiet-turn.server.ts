/** Longer turns of the event loop did some work: they took a connection or read a request. Milliseconds. */
const IDLE_TURN_MS = 0.05
/** Under full load no turn is idle. */
const LONGEST_MS = 300

/**
 * Ends right after two turns of the event loop that did nothing. A connection or a request that has arrived has been taken by then, so that what is closed
 * at this moment has nothing unread inside, and nobody gets a reset for an answer.
 */
export async function quietTurn(): Promise<void> {
  const end = performance.now() + LONGEST_MS
  let before = performance.now()
  for (let idle = 0; idle < 2 && before < end;) {
    await new Promise(setImmediate)
    const now = performance.now()
    idle = now - before < IDLE_TURN_MS ? idle + 1 : 0
    before = now
  }
}
