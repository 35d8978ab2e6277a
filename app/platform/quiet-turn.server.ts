/** Milliseconds. A longer turn of the event loop did some work, such as reading a request. */
const IDLE_TURN_MS = 0.05
/** Under full load no turn is idle. */
const LONGEST_MS = 600
/** A turn accepts one connection, so after several without any, the queue is empty. */
const QUIET_TURNS = 3

/**
 * Resolves after a few idle turns of the event loop; `taken` counts the connections and requests so far. Every arrived connection or request
 * has been accepted by then, so a close at this moment leaves nothing unread, and no client gets a reset instead of a response.
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
