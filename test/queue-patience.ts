import { afterAll, beforeAll } from 'vitest'
import { bounds } from '#app/platform/http/load.server.ts'

const MINUTE = 60_000

/** For a file that counts the responses to a burst: on a busy machine, a queue would refuse some of it for waiting too long. */
export function waitInQueues() {
  const before = Object.values(bounds).map((queue) => [queue, queue.patience] as const)
  beforeAll(() => before.forEach(([queue]) => (queue.patience = MINUTE)))
  afterAll(() => before.forEach(([queue, patience]) => (queue.patience = patience)))
}
