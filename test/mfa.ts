import { expect } from 'vitest'
import { z } from 'zod'
import { db } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { sessionAnswer, type SessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { authClient, bearer } from './auth.ts'
import { codeOf } from './totp.ts'

const begun = z.object({ id: z.string(), totp: z.object({ secret: z.string(), uri: z.string(), qr_code: z.string() }) })

/** Clears the record of used codes, so that the current one is accepted. */
export async function forgetSteps() {
  await db.updateTable('mfaFactors').set({ lastStep: null }).execute()
}

/** Calls the endpoints of second factors like their holder. */
export function factorClient(app: Http) {
  const call = authClient(app)
  const enrol = (session: SessionAnswer, given: object = {}) => call('POST', '/factors', { factor_type: 'totp', ...given }, bearer(session))
  const challenge = (session: SessionAnswer, id: string) => call('POST', `/factors/${id}/challenge`, {}, bearer(session))
  const verify = (session: SessionAnswer, id: string, challengeId: string, code: string) =>
    call('POST', `/factors/${id}/verify`, { challenge_id: challengeId, code }, bearer(session))

  async function begin(session: SessionAnswer, friendlyName = 'Phone') {
    const reply = await enrol(session, { friendly_name: friendlyName })
    expect(reply.statusCode).toBe(200)
    const { id, totp } = begun.parse(reply.json())
    return { id, secret: totp.secret }
  }

  /** Challenge and right code in one call. */
  async function pass(session: SessionAnswer, factor: { id: string; secret: string }): Promise<SessionAnswer> {
    const { id } = (await challenge(session, factor.id)).json()
    const reply = await verify(session, factor.id, id, codeOf(factor.secret))
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
    return sessionAnswer.parse(reply.json())
  }

  /** A verified factor, and the session that it raised. */
  async function finish(session: SessionAnswer, friendlyName?: string) {
    const factor = await begin(session, friendlyName)
    const raised = await pass(session, factor)
    await forgetSteps()
    return { factor, session: raised }
  }

  return { enrol, challenge, verify, begin, pass, finish }
}
