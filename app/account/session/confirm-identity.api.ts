import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { clientOf } from '#app/auth/http/bearer.server.ts'
import { confirmByCode, confirmByPassword, findConfirmationMethods } from '#app/auth/verification/confirm-identity.server.ts'
import { requestNonce } from '#app/auth/verification/reauthentication.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { accounts } from '#app/account/accounts.server.ts'

const limit = perVisitor('confirm-identity', 30, '5 minutes')
const tags = ['account']

/** Sensitive changes need a recent sign-in. Here a person confirms who they are without signing out. */
export const confirmIdentityApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/account/confirmation', {
    schema: { summary: 'How you can confirm that it is you', tags, response: { 200: ways } },
    async handler({ requestContext }) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      const { user } = await accounts.findSession(currentUser)
      return { ...(await findConfirmationMethods(user)), isFresh: currentUser.isFresh }
    },
  })

  app.post('/api/account/confirmation/code', {
    schema: { summary: 'Send yourself a code that confirms that it is you', tags, response: { 204: z.null() } },
    config: { limit },
    async handler({ requestContext }, reply) {
      const { user } = await accounts.findSession(await allow(requestContext, 'workspace.enter'))
      await requestNonce(user, requestContext)
      return reply.status(204).send(null)
    },
  })

  app.post('/api/account/confirmation', {
    schema: {
      summary: 'Confirm that it is you, for the next 15 minutes',
      description: 'By your password, or by the code that was sent to you. With two-factor authentication, verify a factor instead.',
      tags,
      body: proof,
      response: { 204: z.null() },
    },
    config: { limit },
    async handler({ requestContext, body }, reply) {
      const holder = await accounts.findSession(await allow(requestContext, 'workspace.enter'))
      if ('password' in body) await confirmByPassword(holder, body.password, clientOf(requestContext))
      else await confirmByCode(holder, body.code.replaceAll(/\s/g, ''), clientOf(requestContext))
      return reply.status(204).send(null)
    },
  })
}

const ways = z.object({
  isFresh: z.boolean(),
  secondStep: z.boolean(),
  password: z.boolean(),
  code: z.enum(['email', 'phone']).nullable(),
})

const proof = z.union([z.object({ password: z.string().min(1).max(1000) }), z.object({ code: z.string().min(1).max(20) })])
