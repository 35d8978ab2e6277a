import { z } from 'zod'
import { text } from '#app/auth/body.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { findUser } from '#app/identity/user.server.ts'
import { findLink } from '#app/one-time-token/one-time-token.server.ts'
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
      const invitedEmail = query.invite_token && (await findInvitedEmail(query.invite_token))
      const { origin, cookie } = beginInBrowser(visit)
      const url = await beginSignIn(provider, { ...readWish({ query, headers }), origin, invitedEmail })
      return reply.header('set-cookie', cookie).redirect(url, 302)
    },
  })
}

/** Whom the link of an invitation was sent to. The provider has to name the same address. */
async function findInvitedEmail(inviteToken: string): Promise<string> {
  const token = await findLink(inviteToken, ['confirmation'])
  const user = token && (await findUser(token.userId))
  if (!user?.invitedAt || !user.email) refuse('user_not_found', { kind: 'notFound', sentence: 'User identified by token not found' })
  return user.email
}
