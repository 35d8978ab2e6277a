import { z } from 'zod/mini'

const refusal = z.object({ challenge: z.unknown() })

/**
 * Sends requests of the auth client. When the server demands a proof of work before it sends another email, the browser computes it in the
 * background and repeats the request.
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
    const { solveProof } = await import('#app/platform/browser/solve-proof.ts')
    const proof = await solveProof(refused.data.challenge)
    if (!proof) return reply
    const body = { ...JSON.parse(init.body), gotrue_meta_security: { captcha_token: btoa(JSON.stringify(proof)) } }
    return send(input, { ...init, body: JSON.stringify(body) })
  }
}
