import { afterAll, beforeAll } from 'vitest'
import { bounds } from '#app/platform/http/load.server.ts'

const MINUTE = 60_000

/** Lets requests wait in the queues for a minute. On a machine that is busy with other tests, the product's own limits refuse some. */
export function waitInQueues() {
  const before = Object.values(bounds).map((queue) => [queue, queue.patience] as const)
  beforeAll(() => before.forEach(([queue]) => (queue.patience = MINUTE)))
  afterAll(() => before.forEach(([queue, patience]) => (queue.patience = patience)))
}
