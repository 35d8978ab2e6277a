import { z } from 'zod'
import { refuse } from '#app/identity/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { type SessionAnswer, sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { refreshSession } from '#app/session/session.server.ts'
import { signIn } from '#app/session/sign-in.server.ts'
import { clientOf } from './bearer.server.ts'
import { onlyEmail, text } from './body.server.ts'
import { refreshLimit, signInLimit } from './limits.server.ts'

const body = z.object({ email: text, phone: text, password: text, refresh_token: text })
type Body = z.infer<typeof body>

const grants = new Map([
  ['password', byPassword],
  ['refresh_token', byRefreshToken],
])

export const tokenApi: Api = async (app) => {
  app.post('/token', {
    schema: {
      summary: 'Sign in, or renew a session',
      tags: ['auth'],
      querystring: z.object({ grant_type: text }),
      body,
      response: { 200: sessionAnswer },
    },
    async handler({ body, query, visit }) {
      const grant = grants.get(query.grant_type ?? '')
      if (!grant) refuse('invalid_credentials', { sentence: 'unsupported_grant_type' })
      return grant(body, visit)
    },
  })
}

async function byPassword({ password = '', ...address }: Body, visit: Visit): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(visit.address))
  const { short, ...session } = await signIn(onlyEmail(address), password, clientOf(visit))
  const answer = await toSessionAnswer(session)
  if (!short) return answer
  return { ...answer, weak_password: { message: 'This password is shorter than new ones have to be.', reasons: ['length'] } }
}

async function byRefreshToken({ refresh_token: token }: Body, visit: Visit): Promise<SessionAnswer> {
  await consumeGently(refreshLimit, visit)
  if (!token) refuse('validation_failed', { sentence: 'Refresh token is not valid' })
  return toSessionAnswer(await refreshSession(token, clientOf(visit)))
}

/** Clients take any 4xx for the end of their session, and try again after a 503. */
async function consumeGently(limit: Limit, { address }: Visit): Promise<void> {
  try {
    await consume(limit, visitorKey(address))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    refuse('unexpected_failure', { retryAfter: error.extra.retryAfter ?? 1 })
  }
}
