import { z } from 'zod'
import type { EmailRequester } from '#app/auth/tokens/mail-budget.server.ts'
import { signInAnonymously, type SignedUp, signUp } from '#app/auth/verification/sign-up.server.ts'
import { signUpByPhone } from '#app/auth/verification/phone-sign-up.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { REFERRER_HEADER } from '#app/auth/protocol/session-header.ts'
import { noteSignUpSource } from '#app/auth/users/sign-up-source.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { authUser, sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { toAuthUser, toSessionAnswer } from '#app/auth/sessions/session-response.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import {
  channel,
  metadata,
  metaSecurity,
  onlyAddress,
  parseNewEmail,
  proofFields,
  readProof,
  redirectQuery,
  textField,
  wishedTarget,
} from '#app/auth/http/body.server.ts'
import { askerOf, checkCaptcha } from '#app/auth/http/captcha.server.ts'
import { anonymousLimit, signUpLimit } from '#app/auth/http/limits.server.ts'
import { beginSignUp } from '#app/auth/http/sign-up-browser.server.ts'

const body = z.object({
  email: textField,
  phone: textField,
  password: textField,
  data: metadata,
  channel,
  ...proofFields,
  gotrue_meta_security: metaSecurity,
})

type Asked = z.infer<typeof body> & { target: string | undefined; captcha: EmailRequester['proof'] }

export const signupApi: Api = async (app) => {
  app.post('/signup', {
    schema: {
      summary: 'Create an account',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: z.union([sessionAnswer, authUser]) },
    },
    async handler({ body, query, headers, requestContext }, reply) {
      const isAnonymous = !body.email && !body.phone
      await consume(isAnonymous ? anonymousLimit : signUpLimit, visitorKey(requestContext.address))
      if (env.DISABLE_SIGNUP) refuse('signup_disabled')
      if (isAnonymous && !env.EXTERNAL_ANONYMOUS_USERS_ENABLED) refuse('anonymous_provider_disabled')
      await checkCaptcha(body.gotrue_meta_security, requestContext)
      if (isAnonymous) return toSessionAnswer(await signInAnonymously(body.data, clientOf(requestContext)))
      const { cookie, signUpBrowser } = beginSignUp(body.email ?? '')
      const isOurPage = isSameOrigin(headers) === true && body.email !== undefined
      const client = { ...clientOf(requestContext), ...(isOurPage && { signUpBrowser }) }
      const captcha = askerOf(body.gotrue_meta_security, requestContext).proof
      const signedUp = await signUpWith({ ...body, target: wishedTarget({ query, headers }), captcha }, client)
      if (isOurPage && !signedUp.session) reply.header('set-cookie', cookie)
      if (body.email) await noteSignUpSource(body.email, sourceOf('sign-up', { referrer: headers[REFERRER_HEADER]?.toString() }, headers))
      return signedUp.session ? toSessionAnswer(signedUp.session) : toAuthUser(signedUp.user, signedUp.identities)
    },
  })
}

async function signUpWith({ password, data, channel, target, captcha, ...asked }: Asked, client: Client): Promise<SignedUp> {
  if (!password) refuse('validation_failed', { sentence: 'Signup requires a valid password' })
  const { email, phone } = onlyAddress(asked)
  const proof = readProof(asked)
  if (email !== undefined) return signUp({ email: parseNewEmail(email), password, data, target, proof, captcha }, client)
  if (proof) refuse('validation_failed', { sentence: 'PKCE not supported for phone signups' })
  return signUpByPhone({ phone, password, data, channel: channel ?? 'sms', captcha }, client)
}
