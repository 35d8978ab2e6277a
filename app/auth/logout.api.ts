import { z } from 'zod'
import type { Api } from '#app/platform/http.server.ts'
import { endSessions } from '#app/session/session.server.ts'
import { allowBearer } from './bearer.server.ts'

const scope = z.enum(['global', 'local', 'others'], 'Unsupported logout scope: it is one of global, local, others')

/** Signing out everywhere revokes the API keys as well, unless told to keep them. */
const keys = z.enum(['revoke', 'keep'], 'Unsupported keys: it is one of revoke, keep').optional()

export const logoutApi: Api = async (app) => {
  app.post('/logout', {
    schema: {
      summary: 'Sign out here, elsewhere, or everywhere',
      tags: ['auth'],
      querystring: z.object({ scope: z.preprocess((value) => value || undefined, scope.default('global')), keys }),
      response: { 204: z.null() },
    },
    async handler({ visit, query }, reply) {
      await endSessions(await allowBearer(visit), query.scope, { revokesKeys: query.keys !== 'keep' })
      return reply.status(204).send(null)
    },
  })
}
