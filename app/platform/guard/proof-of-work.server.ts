import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { macText } from './keys.server.ts'
import { isWithin, type Limit } from './limits.server.ts'
import { proofChallenge } from './proof-of-work.ts'

const VALID_MS = 10 * 60 * 1000
/** About 256 keys of one millisecond each: nothing for one person, expensive for a million emails. */
const COST = 2_000
const PREFIX = '00'
/** A proof is remembered for as long as it is valid. */
const USED: Limit = { name: 'proof-used', points: 1, seconds: VALID_MS / 1000 }

const proof = z.object({
  challenge: proofChallenge,
  solution: z.object({ counter: z.number(), derivedKey: z.string().max(200) }),
})

/** Work for the sender's machine, valid for this content only. */
export async function challengeFor(content: string) {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    keyPrefix: PREFIX,
    deriveKey,
    data: { content: digest(content) },
    expiresAt: new Date(Date.now() + VALID_MS),
    hmacSignatureSecret: secret(),
  })
}

/** Whether the proof is valid, for this content, in time, and unused. Uses it up. `given` is untrusted. */
export async function spendProof(given: unknown, content: string): Promise<boolean> {
  const nonce = await findProvenNonce(given, content)
  if (!nonce) return false
  return isWithin(USED, nonce)
}

async function findProvenNonce(given: unknown, content: string): Promise<string | undefined> {
  const read = proof.safeParse(given)
  if (!read.success || read.data.challenge.parameters.data.content !== digest(content)) return undefined
  const { challenge, solution } = read.data
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: secret() })
  return verified ? challenge.parameters.nonce : undefined
}

function digest(content: string): string {
  return macText('proof-content', content)
}

function secret(): string {
  return macText('proof', 'secret')
}
