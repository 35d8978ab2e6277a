import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { signInBody, signInRule } from './sign-in.ts'
import { findSignInRule, setSignInProvider } from './sign-in.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const tags = ['organizations']
const response = { 200: signInRule }

/** With which provider the members of an organization have to sign in. */
export const signInApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/sign-in', {
    schema: { summary: 'Show how members have to sign in', tags, params, response },
    handler: async ({ requestContext, params: { id } }) => findSignInRule((await allowIn(requestContext, id, 'manage')).organization),
  })

  app.put('/api/organizations/:id/sign-in', {
    schema: {
      summary: 'Choose how members have to sign in',
      description: 'Their other sessions no longer open the organization. API keys keep working.',
      tags,
      params,
      body: signInBody,
      response,
    },
    async handler({ requestContext, params: { id }, body }) {
      const acting = await allowIn(requestContext, id, 'manage')
      await setSignInProvider(acting, body)
      return findSignInRule({ signInProvider: body.provider })
    },
  })
}
