import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { accessTokenOf, clientOf } from '#app/auth/bearer.server.ts'
import { findHostedUser } from '#app/hosted/hosted-user.server.ts'
import { isHosted } from '#app/platform/env.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { deletionWish, pendingDeletion } from './deletion.ts'
import { askDeletion, findDeletion, keepAccount } from './deletion.server.ts'

const response = { 200: pendingDeletion }

/** Whether, and when, the account of whoever is signed in will be deleted. */
export const deletionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'workspace.enter')
  })

  app.get('/api/account/deletion', {
    schema: { summary: 'When your account will be deleted, if you have asked for it', tags: ['account'], response },
    async handler({ visit }) {
      const dueAt = await findDeletion((await allow(visit, 'workspace.enter')).id)
      return { dueAt: dueAt?.toISOString() ?? null }
    },
  })

  app.post('/api/account/deletion', {
    schema: { summary: 'Ask for your account to be deleted in 14 days', tags: ['account'], body: deletionWish, response },
    config: { limit: perVisitor('account-deletion', 30, '1 hours') },
    async handler({ visit, body }) {
      const { id, email } = await allow(visit, 'workspace.enter')
      const { phone } = isHosted && !email ? await findHostedUser(accessTokenOf(visit), clientOf(visit)) : {}
      return { dueAt: (await askDeletion(id, { ...body, ...(phone && { phone }) })).toISOString() }
    },
  })

  app.delete('/api/account/deletion', {
    schema: { summary: 'Keep your account', tags: ['account'], response: { 200: z.object({ dueAt: z.null() }) } },
    async handler({ visit }) {
      if (!(await keepAccount((await allow(visit, 'workspace.enter')).id))) stop('conflict', 'Your account is not going to be deleted.')
      return { dueAt: null }
    },
  })
}
