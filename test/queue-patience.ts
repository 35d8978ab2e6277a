import { afterAll, beforeAll } from 'vitest'
import { waits } from '#app/platform/http/load.server.ts'

const MINUTE = 60_000

/** Lets requests wait in the queues for a minute. On a machine that is busy with other tests, the product's own limits refuse some. */
export function waitInQueues() {
  const before = Object.values(waits).map((wait) => [wait, wait.patience] as const)
  beforeAll(() => before.forEach(([wait]) => (wait.patience = MINUTE)))
  afterAll(() => before.forEach(([wait, patience]) => (wait.patience = patience)))
}
