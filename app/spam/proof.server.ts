import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { mac } from '#app/platform/keys.server.ts'
import { proofChallenge } from './proof.ts'

const VALID_MS = 10 * 60 * 1000
/** About 256 keys of one millisecond each: nothing for one person, dear for a million letters. */
const COST = 2_000
const PREFIX = '00'

const proof = z.object({
  challenge: proofChallenge,
  solution: z.object({ counter: z.number(), derivedKey: z.string().max(200) }),
})

/** Work for the sender's machine, worth something for this content alone. */
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

/** Whether the work was done, for this content, in time. Anything at all may be given. */
export async function isProven(given: unknown, content: string): Promise<boolean> {
  const read = proof.safeParse(given)
  if (!read.success || read.data.challenge.parameters.data.content !== digest(content)) return false
  const { challenge, solution } = read.data
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: secret() })
  return verified
}

function digest(content: string): string {
  return mac('proof-content', content).toString('base64url')
}

function secret(): string {
  return mac('proof', 'secret').toString('base64url')
}
