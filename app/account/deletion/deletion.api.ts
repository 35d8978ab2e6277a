import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { deletionRequest, pendingDeletion } from './deletion.ts'
import { requestDeletion, findDeletion, findDeletionObstacle, cancelDeletion } from './deletion.server.ts'

const response = { 200: pendingDeletion }

/** The pending deletion of the signed-in person's account. */
export const deletionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/account/deletion', {
    schema: { summary: 'Show when your account will be deleted', tags: ['account'], response },
    async handler({ requestContext }) {
      const { id } = await allow(requestContext, 'workspace.enter')
      const [dueAt, obstacle] = [await findDeletion(id), await findDeletionObstacle(id)]
      return { dueAt: dueAt?.toISOString() ?? null, ...(obstacle && { obstacle }) }
    },
  })

  app.post('/api/account/deletion', {
    schema: { summary: 'Schedule the deletion of your account in 14 days', tags: ['account'], body: deletionRequest, response },
    config: { limit: perVisitor('account-deletion', 30, '1 hours') },
    async handler({ requestContext, body }) {
      const currentUser = await allowFresh(requestContext, 'workspace.enter')
      const phone = await accounts.findPhone(currentUser, requestContext)
      return { dueAt: (await requestDeletion(currentUser.id, { ...body, phone })).toISOString() }
    },
  })

  app.delete('/api/account/deletion', {
    schema: { summary: 'Cancel the deletion of your account', tags: ['account'], response: { 200: z.object({ dueAt: z.null() }) } },
    async handler({ requestContext }) {
      if (!(await cancelDeletion((await allow(requestContext, 'workspace.enter')).id)))
        stop('conflict', 'No deletion of your account is scheduled.')
      return { dueAt: null }
    },
  })
}
