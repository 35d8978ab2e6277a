import { expect } from 'vitest'
import { z } from 'zod'
import type { Http } from '#app/platform/http/http.server.ts'
import type { SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { bearer, VERSION } from './auth.ts'
import { softAuthenticator, type Twist } from './authenticator.ts'

const begun = z.object({ challenge_id: z.string(), options: z.looseObject({ challenge: z.string() }), expires_at: z.number() })

export type Begun = z.infer<typeof begun>

/** Calls the passkey endpoints like their holder. */
export function passkeyClient(app: Http) {
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, headers: Record<string, string> = {}) =>
    app.inject({ method, url: `/auth/v1/passkeys${path}`, headers: { ...VERSION, ...headers }, ...(payload && { payload }) })
  const ask = (session: SessionAnswer) => call('POST', '/registration/options', {}, bearer(session))
  const answer = (session: SessionAnswer, challengeId: string, credential: unknown) =>
    call('POST', '/registration/verify', { challenge_id: challengeId, credential }, bearer(session))
  const read = (reply: Awaited<ReturnType<typeof call>>): Begun => {
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
    return begun.parse(reply.json())
  }
  const askToSignIn = async () => read(await call('POST', '/authentication/options', {}))
  const signIn = (challengeId: string, credential: unknown) =>
    call('POST', '/authentication/verify', { challenge_id: challengeId, credential })

  /** A registered passkey, and its authenticator. */
  async function register(session: SessionAnswer, device = softAuthenticator(), twist: Twist = {}) {
    const { challenge_id: challengeId, options } = read(await ask(session))
    const reply = await answer(session, challengeId, device.create(options, twist))
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
    return { device, passkey: z.object({ id: z.string(), friendly_name: z.string() }).parse(reply.json()) }
  }

  /** The whole sign-in. */
  async function enter(device: ReturnType<typeof softAuthenticator>, twist: Twist = {}) {
    const { challenge_id: challengeId, options } = await askToSignIn()
    return signIn(challengeId, device.get(options, twist))
  }

  return {
    call,
    ask,
    answer,
    askToSignIn,
    signIn,
    begin: async (session: SessionAnswer) => read(await ask(session)),
    register,
    enter,
  }
}
