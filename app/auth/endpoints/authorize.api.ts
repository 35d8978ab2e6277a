import { z } from 'zod'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { textField } from '#app/auth/http/body.server.ts'
import type { Client } from '#app/auth/sessions/client.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { findUser } from '#app/auth/users/user.server.ts'
import { openedLink } from '#app/auth/verification/failed-proof.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { findProvider } from '#app/auth/providers/provider.server.ts'
import { beginSignIn } from '#app/auth/providers/sign-in.server.ts'
import { beginInBrowser } from './flow-cookie.server.ts'
import { authorizeLimit } from '#app/auth/http/limits.server.ts'
import { readProviderSignIn, providerSignInQuery } from './provider-request.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'

export const authorizeApi: Api = async (app) => {
  app.get('/authorize', {
    schema: {
      summary: 'Redirect to a sign-in provider',
      tags: ['auth'],
      querystring: z.looseObject({ ...providerSignInQuery.shape, invite_token: textField }),
      response: { 302: redirected },
    },
    config: { limit: authorizeLimit },
    async handler({ query, headers, requestContext }, reply) {
      const provider = findProvider(query.provider)
      const invitedEmail = query.invite_token && (await findInvitedEmail(query.invite_token, clientOf(requestContext)))
      const { origin, cookie } = beginInBrowser(requestContext)
      const url = await beginSignIn(provider, {
        ...readProviderSignIn({ query, headers }),
        origin,
        invitedEmail,
        cameFrom: sourceOf('sign-in', {}, headers),
      })
      return reply.header('set-cookie', cookie).redirect(url, 302)
    },
  })
}

/** The invited address. The provider must name the same one. */
async function findInvitedEmail(inviteToken: string, client: Client): Promise<string> {
  const token = await openedLink(inviteToken, ['confirmation'], client)
  const user = token && (await findUser(token.userId))
  if (!user?.invitedAt || !user.email) refuse('user_not_found', { kind: 'notFound', sentence: 'User identified by token not found' })
  return user.email
}
