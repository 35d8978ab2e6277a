import type { Trx } from '#app/platform/database/db.server.ts'

/** Why an account cannot be deleted yet, and the page where the person can change that. */
export type LeavingObstacle = { code: string; sentence: string; path: string; label: string }

/** Returns an obstacle, if there is one. Runs in the transaction of the deletion, and may lock what it depends on. */
type LeavingCheck = (trx: Trx, userId: string) => Promise<LeavingObstacle | undefined>

const checks: LeavingCheck[] = []

/** Registers what has to be settled before an account can be deleted. Each area adds its own. */
export function addLeavingCheck(check: LeavingCheck): void {
  checks.push(check)
}

/** The first obstacle in the way of a deletion. */
export async function findObstacle(trx: Trx, userId: string): Promise<LeavingObstacle | undefined> {
  for (const check of checks) {
    const obstacle = await check(trx, userId)
    if (obstacle) return obstacle
  }
  return undefined
}
