import { z } from 'zod'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { type SessionAnswer, sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { refreshSession } from '#app/auth/sessions/session.server.ts'
import { signIn } from '#app/auth/sessions/sign-in.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { metaSecurity, onlyAddress, textField } from '#app/auth/http/body.server.ts'
import { checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { foreignFields } from '#app/auth/http/foreign-fields.server.ts'
import { signInLimit } from '#app/auth/http/limits.server.ts'
import { countRenewal } from '#app/auth/http/renewal-limit.server.ts'

const body = z.object({
  email: textField,
  phone: textField,
  password: textField,
  refresh_token: textField,
  ...foreignFields,
  gotrue_meta_security: metaSecurity,
})
type Body = z.infer<typeof body>

const areWalletsOn = env.EXTERNAL_WEB3_ETHEREUM_ENABLED || env.EXTERNAL_WEB3_SOLANA_ENABLED

type Grant = (body: Body, requestContext: RequestContext) => Promise<SessionAnswer>

/** `foreign` are the grants by ID token, PKCE code and wallet signature, by name. */
export const tokenApi =
  (foreign: Record<string, Grant>): Api =>
  async (app) => {
    const grants = new Map(Object.entries({ password: byPassword, refresh_token: byRefreshToken, ...foreign }))
    app.post('/token', {
      schema: {
        summary: 'Sign in, or renew a session',
        tags: ['auth'],
        querystring: z.object({ grant_type: textField }),
        body,
        response: { 200: sessionAnswer },
      },
      // The protocol's servers report disabled wallets before they check the body.
      async preValidation({ query }) {
        if (query.grant_type === 'web3' && !areWalletsOn) refuse('web3_provider_disabled')
      },
      async handler({ body, query, requestContext }) {
        const grant = grants.get(query.grant_type ?? '')
        if (!grant) refuse('invalid_credentials', { sentence: 'unsupported_grant_type' })
        return grant(body, requestContext)
      },
    })
  }

async function byPassword(
  { password = '', gotrue_meta_security: security, ...address }: Body,
  requestContext: RequestContext,
): Promise<SessionAnswer> {
  await consume(signInLimit, visitorKey(requestContext.address))
  await checkCaptcha(security, requestContext)
  const { weak, ...session } = await signIn(onlyAddress(address), password, clientOf(requestContext))
  const answer = await toSessionAnswer(session)
  if (weak.length === 0) return answer
  return {
    ...answer,
    weak_password: { message: 'This password does not meet the rules for new passwords. Please choose a stronger one.', reasons: weak },
  }
}

async function byRefreshToken({ refresh_token: token }: Body, requestContext: RequestContext): Promise<SessionAnswer> {
  await countRenewal(requestContext.address)
  if (!token) refuse('validation_failed', { sentence: 'Refresh token is not valid' })
  return toSessionAnswer(await refreshSession(token, clientOf(requestContext)))
}
