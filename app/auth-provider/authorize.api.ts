import { z } from 'zod'
import { clientOf } from '#app/auth/bearer.server.ts'
import { text } from '#app/auth/body.server.ts'
import type { Client } from '#app/session/client.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUser } from '#app/identity/user.server.ts'
import { openedLink } from '#app/confirmation/failed-proof.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { findProvider } from '#app/provider/provider.server.ts'
import { beginSignIn } from '#app/provider/sign-in.server.ts'
import { beginInBrowser } from './flow-cookie.server.ts'
import { authorizeLimit } from './limits.server.ts'
import { readWish, wishQuery } from './provider-wish.server.ts'
import { redirected } from '#app/platform/answer-schema.ts'

export const authorizeApi: Api = async (app) => {
  app.get('/authorize', {
    schema: {
      summary: 'Go and sign in elsewhere',
      tags: ['auth'],
      querystring: z.looseObject({ ...wishQuery.shape, invite_token: text }),
      response: { 302: redirected },
    },
    config: { limit: authorizeLimit },
    async handler({ query, headers, visit }, reply) {
      const provider = findProvider(query.provider)
      const invitedEmail = query.invite_token && (await findInvitedEmail(query.invite_token, clientOf(visit)))
      const { origin, cookie } = beginInBrowser(visit)
      const url = await beginSignIn(provider, { ...readWish({ query, headers }), origin, invitedEmail })
      return reply.header('set-cookie', cookie).redirect(url, 302)
    },
  })
}

/** Whom the link of an invitation was sent to. The provider has to name the same address. */
async function findInvitedEmail(inviteToken: string, client: Client): Promise<string> {
  const token = await openedLink(inviteToken, ['confirmation'], client)
  const user = token && (await findUser(token.userId))
  if (!user?.invitedAt || !user.email) refuse('user_not_found', { kind: 'notFound', sentence: 'User identified by token not found' })
  return user.email
}
