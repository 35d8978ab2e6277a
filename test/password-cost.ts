import { OWN_COST } from '#app/auth/sessions/stored-hash.server.ts'

const REAL_COST = { ...OWN_COST }
/** Memory in KiB: the minimum of argon2. */
const LEAST_COST = { memory: 8, passes: 1 }

/** Runs before each file: hundreds of people sign up in the tests, and full-cost hashes would take a third of the time. */
export function makePasswordsCheap() {
  Object.assign(OWN_COST, LEAST_COST)
}

/** For a file that tests the cost itself, or needs the duration of a hash. */
export function useRealPasswordCost() {
  Object.assign(OWN_COST, REAL_COST)
}
