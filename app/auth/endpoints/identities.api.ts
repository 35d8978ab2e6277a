import { z } from 'zod'
import { allowBearer } from '#app/auth/http/bearer.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { listIdentities } from '#app/auth/users/user.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { unlinkIdentity } from '#app/auth/providers/link.server.ts'
import { findProvider } from '#app/auth/providers/provider.server.ts'
import { beginSignIn } from '#app/auth/providers/sign-in.server.ts'
import { authIdentity } from '#app/auth/sessions/auth-user.ts'
import { requireFreshSignIn } from '#app/auth/sessions/fresh-sign-in.server.ts'
import { toAuthIdentity } from '#app/auth/sessions/session-response.server.ts'
import type { SessionUser } from '#app/auth/sessions/user-factors.server.ts'
import { requireMfa } from '#app/auth/sessions/mfa.server.ts'
import { beginInBrowser } from './flow-cookie.server.ts'
import { identityLimit } from '#app/auth/http/limits.server.ts'
import { readProviderSignIn, providerSignInQuery } from './provider-request.server.ts'
import { redirected } from '#app/platform/http/response-schema.ts'

/** The sign-in methods of the user's account. */
export const identitiesApi: Api = async (app) => {
  app.get('/user/identities', {
    schema: { summary: 'List your sign-in methods', tags: ['auth'], response: { 200: z.object({ identities: z.array(authIdentity) }) } },
    async handler({ requestContext }) {
      const { user } = await allowBearer(requestContext)
      return { identities: (await listIdentities(db, user.id)).map(toAuthIdentity) }
    },
  })

  app.get('/user/identities/authorize', {
    schema: {
      summary: 'Start adding a sign-in method',
      tags: ['auth'],
      querystring: providerSignInQuery,
      response: { 200: z.object({ url: z.string() }), 302: redirected },
    },
    config: { limit: identityLimit },
    async handler({ requestContext, query, headers }, reply) {
      const linking = await allowLinking(requestContext)
      const { origin, cookie } = beginInBrowser(requestContext)
      const wish = { ...readProviderSignIn({ query, headers }), origin, linking }
      const url = await beginSignIn(findProvider(query.provider), wish)
      void reply.header('set-cookie', cookie)
      return query['skip_http_redirect'] === 'true' ? reply.send({ url }) : reply.redirect(url, 302)
    },
  })

  app.delete('/user/identities/:id', {
    schema: { summary: 'Remove a sign-in method', tags: ['auth'], params: z.object({ id: z.string() }), response: { 200: z.object({}) } },
    config: { limit: identityLimit },
    async handler({ requestContext, params: { id } }) {
      const holder = await allowLinking(requestContext)
      if (!z.uuid().safeParse(id).success) refuse('validation_failed', { kind: 'notFound', sentence: 'identity_id must be an UUID' })
      await unlinkIdentity(holder, id)
      return {}
    },
  })
}

/** A sign-in method gives full access to the account, so changing one requires MFA and a recent sign-in. */
async function allowLinking(requestContext: RequestContext): Promise<SessionUser> {
  const holder = await allowBearer(requestContext)
  if (!env.SECURITY_MANUAL_LINKING_ENABLED) refuse('manual_linking_disabled')
  await requireMfa(db, { id: holder.user.id, aal: holder.session.aal })
  await requireFreshSignIn(db, holder.session)
  return holder
}
