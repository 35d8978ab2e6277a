import { z } from 'zod'
import { accounts } from '#app/account/accounts.server.ts'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { ownAccount, ownPasskey } from './account.ts'
import { ownFactor } from '#app/account/session/own-factor.ts'
import { findAccount } from './account.server.ts'

export const ownAccountApi: Api = async (app) => {
  app.get('/api/account', {
    schema: { summary: 'Show your account', tags: ['account'], response: { 200: ownAccount } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return findAccount(await allow(requestContext, 'workspace.enter'), requestContext)
    },
  })

  app.get('/api/account/factors', {
    schema: { summary: 'List your second factors', tags: ['account'], response: { 200: z.array(ownFactor) } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return accounts.listOwnFactors(await allow(requestContext, 'workspace.enter'), requestContext)
    },
  })

  app.get('/api/account/passkeys', {
    schema: { summary: 'List your passkeys', tags: ['account'], response: { 200: z.array(ownPasskey) } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return accounts.listOwnPasskeys(await allow(requestContext, 'workspace.enter'), requestContext)
    },
  })
}
