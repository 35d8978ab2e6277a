import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { proofChallenge } from '#app/platform/guard/proof-of-work.ts'

const PATIENCE_MS = 30_000

/** Solves the server's challenge in the background. `null` when this machine cannot, or not in time. */
export async function solveProof(given: unknown) {
  const read = proofChallenge.safeParse(given)
  // Browsers offer Web Crypto only on https pages.
  if (!read.success || !globalThis.crypto?.subtle) return null
  const solution = await solveChallenge({ challenge: read.data, deriveKey, timeout: PATIENCE_MS })
  return solution && { challenge: read.data, solution }
}
