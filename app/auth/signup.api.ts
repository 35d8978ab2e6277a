import { z } from 'zod'
import { refuse } from '#app/identity/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { authUser, sessionAnswer } from '#app/session/auth-user.ts'
import { toAuthUser, toSessionAnswer } from '#app/session/session-answer.server.ts'
import { signUp } from '#app/session/sign-up.server.ts'
import { clientOf } from './bearer.server.ts'
import { metadata, onlyEmail, redirectQuery, text, wishedTarget } from './body.server.ts'
import { signUpLimit } from './limits.server.ts'

const body = z.object({ email: text, phone: text, password: text, data: metadata })

export const signupApi: Api = async (app) => {
  app.post('/signup', {
    schema: {
      summary: 'Create an account',
      tags: ['auth'],
      querystring: redirectQuery,
      body,
      response: { 200: z.union([sessionAnswer, authUser]) },
    },
    config: { limit: signUpLimit },
    async handler({ body, query, headers, visit }) {
      const { password, data, ...address } = body
      if (env.DISABLE_SIGNUP) refuse('signup_disabled')
      if (!address.email && !address.phone) refuse('anonymous_provider_disabled')
      if (!password) refuse('validation_failed', { sentence: 'Signup requires a valid password' })
      const signedUp = await signUp(
        { email: onlyEmail(address), password, data, target: wishedTarget({ query, headers }) },
        clientOf(visit),
      )
      return signedUp.session ? toSessionAnswer(signedUp.session) : toAuthUser(signedUp.user, signedUp.identities)
    },
  })
}
