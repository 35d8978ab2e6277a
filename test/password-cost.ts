import { OWN_COST } from '#app/password/stored-hash.server.ts'

const REAL_COST = { ...OWN_COST }
/** Memory in KiB: the least that argon2 takes. */
const LEAST_COST = { memory: 8, passes: 1 }

/** Before each file: hundreds of people sign up in the tests, and hashes that are dear on purpose would be a third of what these cost. */
export function makePasswordsCheap() {
  Object.assign(OWN_COST, LEAST_COST)
}

/** For a file that looks at the cost itself, or needs the time that a hash takes. */
export function useRealPasswordCost() {
  Object.assign(OWN_COST, REAL_COST)
}
