import { z } from 'zod'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { type SessionAnswer, sessionAnswer } from '#app/session/auth-user.ts'
import { toSessionAnswer } from '#app/session/session-answer.server.ts'
import { refreshSession } from '#app/session/session.server.ts'
import { signIn } from '#app/session/sign-in.server.ts'
import { clientOf } from './bearer.server.ts'
import { metaSecurity, onlyAddress, text } from './body.server.ts'
import { checkCaptcha } from './captcha.server.ts'
import { foreignFields } from './foreign-fields.server.ts'
import { signInLimit } from './limits.server.ts'
import { countRenewal } from './renewal-limit.server.ts'

const body = z.object({
  email: text,
  phone: text,
  password: text,
  refresh_token: text,
  ...foreignFields,
  gotrue_meta_security: metaSecurity,
})
type Body = z.infer<typeof body>

const areWalletsOn = env.EXTERNAL_WEB3_ETHEREUM_ENABLED || env.EXTERNAL_WEB3_SOLANA_ENABLED

type Grant = (body: Body, visit: Visit) => Promise<SessionAnswer>

/** `foreign` are the grants that are given for what another service or a wallet has signed, or what a flow has led to, by their names. */
export const tokenApi =
  (foreign: Record<string, Grant>): Api =>
  async (app) => {
    const grants = new Map(Object.entries({ password: byPassword, refresh_token: byRefreshToken, ...foreign }))
    app.post('/token', {
      schema: {
        summary: 'Sign in, or renew a session',
        tags: ['auth'],
        querystring: z.object({ grant_type: text }),
        body,
        response: { 200: sessionAnswer },
      },
      // The protocol's servers say that wallets are off whatever the body holds.
      async preValidation({ query }) {
        if (query.grant_type === 'web3' && !areWalletsOn) refuse('web3_provider_disabled')
      },
      async handler({ body, query, visit }) {
        const grant = grants.get(query.grant_type ?? '')
        if (!grant) refuse('invalid_credentials', { sentence: 'unsupported_grant_type' })
        return grant(body, visit)
      },
    })
  }

async function byPassword({ password = '', gotrue_meta_security: security, ...address }: Body, visit: Visit): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(visit.address))
  await checkCaptcha(security, visit)
  const { weak, ...session } = await signIn(onlyAddress(address), password, clientOf(visit))
  const answer = await toSessionAnswer(session)
  if (weak.length === 0) return answer
  return { ...answer, weak_password: { message: 'This password is weaker than new ones have to be.', reasons: weak } }
}

async function byRefreshToken({ refresh_token: token }: Body, visit: Visit): Promise<SessionAnswer> {
  await countRenewal(visit.address)
  if (!token) refuse('validation_failed', { sentence: 'Refresh token is not valid' })
  return toSessionAnswer(await refreshSession(token, clientOf(visit)))
}
