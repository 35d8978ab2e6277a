import { z } from 'zod/mini'

const refusal = z.object({ challenge: z.unknown() })

/**
 * Sends requests of the auth client. When the server wants a proof of work before it sends one more email, the browser does that work in the
 * background, and the request goes out once more.
 */
export function provingFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const reply = await send(input, init)
    if (reply.status !== 429 || typeof init?.body !== 'string') return reply
    const refused = refusal.safeParse(
      await reply
        .clone()
        .json()
        .catch(() => undefined),
    )
    if (!refused.success || !refused.data.challenge) return reply
    const { solveProof } = await import('#app/spam/solve-proof.ts')
    const proof = await solveProof(refused.data.challenge)
    if (!proof) return reply
    const body = { ...JSON.parse(init.body), gotrue_meta_security: { captcha_token: btoa(JSON.stringify(proof)) } }
    return send(input, { ...init, body: JSON.stringify(body) })
  }
}
