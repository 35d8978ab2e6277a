import { log } from '#app/platform/process/log.server.ts'

const GATHER_MS = 100

/**
 * Returns a function that calls `send` soon, and once for a whole burst of its calls, so that no request is delayed. `send` gets the time since the last of
 * them, in milliseconds.
 */
export function gathered(send: (age: number) => Promise<unknown>, failure: string): () => void {
  let last = 0
  let planned = false
  return () => {
    last = performance.now()
    if (planned) return
    planned = true
    setTimeout(() => {
      planned = false
      send(Math.floor(performance.now() - last)).catch((error: unknown) => log.warn({ err: error }, failure))
    }, GATHER_MS).unref()
  }
}
