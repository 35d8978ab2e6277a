import { z } from 'zod'
import { textField } from '#app/auth/http/body.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { areWalletsOn, tokenBody, grants } from './grant.server.ts'

export const tokenApi: Api = async (app) => {
  app.post('/token', {
    schema: {
      summary: 'Sign in, or renew a session',
      tags: ['auth'],
      querystring: z.object({ grant_type: textField }),
      body: tokenBody,
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
