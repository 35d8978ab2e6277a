import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { ownAccount } from './account.ts'
import { findAccount } from './account.server.ts'

export const accountApi: Api = async (app) => {
  app.get('/api/account', {
    schema: { summary: 'Show your account', tags: ['account'], response: { 200: ownAccount } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return findAccount(await allow(requestContext, 'workspace.enter'), requestContext)
    },
  })
}
