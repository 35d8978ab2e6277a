/** Longer turns of the event loop did some work, such as reading a request. Milliseconds. */
const IDLE_TURN_MS = 0.05
/** Under full load no turn is idle. */
const LONGEST_MS = 600
/** A turn takes one waiting connection, so several without any mean that none waits. */
const QUIET_TURNS = 3

/**
 * Ends right after a few turns of the event loop that did nothing; `taken` counts the connections and requests so far. A connection or a request that has arrived has been taken by then, so that what is closed
 * at this moment has nothing unread inside, and nobody gets a reset for an answer.
 */
export async function quietTurn(taken: () => number): Promise<void> {
  const end = performance.now() + LONGEST_MS
  let [before, known] = [performance.now(), taken()]
  for (let idle = 0; idle < QUIET_TURNS && before < end;) {
    await new Promise(setImmediate)
    const now = performance.now()
    idle = now - before < IDLE_TURN_MS && taken() === known ? idle + 1 : 0
    ;[before, known] = [now, taken()]
  }
}
