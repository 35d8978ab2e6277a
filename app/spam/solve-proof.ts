import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { proofChallenge } from './proof.ts'

const PATIENCE_MS = 30_000

/** Does the work that the server asks for, in the background. `null` when this machine cannot, or not in time. */
export async function solveProof(given: unknown) {
  const read = proofChallenge.safeParse(given)
  // Browsers lend their hashing only to encrypted pages.
  if (!read.success || !globalThis.crypto?.subtle) return null
  const solution = await solveChallenge({ challenge: read.data, deriveKey, timeout: PATIENCE_MS })
  return solution && { challenge: read.data, solution }
}
