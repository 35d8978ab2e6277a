import { z } from 'zod/mini'

/** The challenge that a browser solves in the background, as the server sends it and reads it back. */
export const proofChallenge = z.object({
  parameters: z.strictObject({
    algorithm: z.literal('PBKDF2/SHA-256'),
    nonce: z.string().check(z.regex(/^[\da-f]{32}$/)),
    salt: z.string().check(z.regex(/^[\da-f]{32}$/)),
    cost: z.int().check(z.positive(), z.maximum(10_000)),
    keyLength: z.literal(32),
    keyPrefix: z.string().check(z.regex(/^[\da-f]{2}$/)),
    expiresAt: z.int(),
    data: z.strictObject({ content: z.string().check(z.maxLength(64)) }),
  }),
  signature: z.string().check(z.regex(/^[\da-f]{64}$/)),
})
