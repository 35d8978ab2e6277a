import { z } from 'zod'
import type { Api } from '#app/platform/http/http.server.ts'
import { endSessions } from '#app/auth/sessions/session.server.ts'
import { allowBearer } from '#app/auth/http/bearer.server.ts'

const scope = z.enum(['global', 'local', 'others'], 'Unsupported logout scope: use global, local or others')

/** Signing out everywhere also revokes the API keys, unless `keys=keep`. */
const keys = z.enum(['revoke', 'keep'], 'Unsupported keys: use revoke or keep').optional()

export const logoutApi: Api = async (app) => {
  app.post('/logout', {
    schema: {
      summary: 'Sign out here, elsewhere, or everywhere',
      tags: ['auth'],
      querystring: z.object({ scope: z.preprocess((value) => value || undefined, scope.default('global')), keys }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, query }, reply) {
      await endSessions(await allowBearer(requestContext), query.scope, { revokesKeys: query.keys !== 'keep' })
      return reply.status(204).send(null)
    },
  })
}
