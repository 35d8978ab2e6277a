import { z } from 'zod'
import { allowBearer } from '#app/auth/bearer.server.ts'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { listIdentities } from '#app/identity/user.server.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { unlinkIdentity } from '#app/provider/link.server.ts'
import { findProvider } from '#app/provider/provider.server.ts'
import { beginSignIn } from '#app/provider/sign-in.server.ts'
import { authIdentity } from '#app/session/auth-user.ts'
import { requireFreshSignIn } from '#app/session/fresh-sign-in.server.ts'
import { toAuthIdentity } from '#app/session/session-answer.server.ts'
import type { Holder } from '#app/session/user-factors.server.ts'
import { requireSecondStep } from '#app/session/second-step.server.ts'
import { beginInBrowser } from './flow-cookie.server.ts'
import { identityLimit } from './limits.server.ts'
import { readWish, wishQuery } from './provider-wish.server.ts'
import { redirected } from '#app/platform/answer-schema.ts'

/** The ways in which someone can sign in to their account. */
export const identitiesApi: Api = async (app) => {
  app.get('/user/identities', {
    schema: { summary: 'List your ways to sign in', tags: ['auth'], response: { 200: z.object({ identities: z.array(authIdentity) }) } },
    async handler({ visit }) {
      const { user } = await allowBearer(visit)
      return { identities: (await listIdentities(db, user.id)).map(toAuthIdentity) }
    },
  })

  app.get('/user/identities/authorize', {
    schema: {
      summary: 'Go and add a way to sign in',
      tags: ['auth'],
      querystring: wishQuery,
      response: { 200: z.object({ url: z.string() }), 302: redirected },
    },
    config: { limit: identityLimit },
    async handler({ visit, query, headers }, reply) {
      const { origin, cookie } = beginInBrowser(visit)
      const wish = { ...readWish({ query, headers }), origin, linking: await allowLinking(visit) }
      const url = await beginSignIn(findProvider(query.provider), wish)
      void reply.header('set-cookie', cookie)
      return query['skip_http_redirect'] === 'true' ? reply.send({ url }) : reply.redirect(url, 302)
    },
  })

  app.delete('/user/identities/:id', {
    schema: { summary: 'Remove a way to sign in', tags: ['auth'], params: z.object({ id: z.string() }), response: { 200: z.object({}) } },
    config: { limit: identityLimit },
    async handler({ visit, params: { id } }) {
      const holder = await allowLinking(visit)
      if (!z.uuid().safeParse(id).success) refuse('validation_failed', { kind: 'notFound', sentence: 'identity_id must be an UUID' })
      await unlinkIdentity(holder, id)
      return {}
    },
  })
}

/** A way to sign in is worth the whole account: who has a second factor changes none without it. */
async function allowLinking(visit: Visit): Promise<Holder> {
  const holder = await allowBearer(visit)
  if (!env.SECURITY_MANUAL_LINKING_ENABLED) refuse('manual_linking_disabled')
  await requireSecondStep(db, { id: holder.user.id, aal: holder.session.aal })
  await requireFreshSignIn(db, holder.session)
  return holder
}
