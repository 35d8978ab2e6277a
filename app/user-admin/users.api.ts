import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Actor } from '#app/identity/audit.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { directory } from '#app/users/directory.server.ts'
import { listedUser, userPage } from '#app/users/user-directory.ts'
import { ban, invitation, roleChange, userQuery } from './user-admin.ts'
import { deleteAccount, shutOut } from './user-admin.server.ts'

const params = z.object({ id: z.uuid('There is no such account.') })
const tags = ['users']
const one = { 200: listedUser }
const unknown = () => stop('notFound', 'There is no such account.')
const actorOf = async (visit: Visit): Promise<Actor> => ({ id: (await allow(visit, 'users.manage')).id, address: visit.address })

/** Everyone with an account, for the owner: who they are, what they may do, and the end of it. */
export const usersApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'users.manage')
  })

  app.get('/api/admin/users', {
    schema: { summary: 'List accounts, newest first', tags, querystring: userQuery, response: { 200: userPage } },
    handler: async ({ query: { q, cursor, limit } }) => directory.listUsers({ search: q || undefined, cursor, limit }),
  })

  app.post('/api/admin/users/invite', {
    schema: { summary: 'Invite someone by letter', tags, body: invitation, response: { 201: listedUser } },
    config: { limit: perVisitor('invitations', 60, '1 hours') },
    handler: async ({ visit, body }, reply) =>
      reply.status(201).send(await directory.inviteUser(body.email, body.role, await actorOf(visit))),
  })

  app.get('/api/admin/users/:id', {
    schema: { summary: 'Read one account', tags, params, response: one },
    handler: async ({ params }) => (await directory.findUser(params.id)) ?? unknown(),
  })

  app.patch('/api/admin/users/:id', {
    schema: { summary: 'Give someone a role', tags, params, body: roleChange, response: one },
    handler: async ({ visit, params, body }) => directory.changeRole(params.id, body.role, await actorOf(visit)),
  })

  app.delete('/api/admin/users/:id', {
    schema: { summary: 'Delete an account', tags, params, response: { 204: z.null() } },
    async handler({ visit, params }, reply) {
      await deleteAccount(await allow(visit, 'users.manage'), params.id, await actorOf(visit))
      return reply.status(204).send(null)
    },
  })

  app.post('/api/admin/users/:id/ban', {
    schema: { summary: 'Shut someone out', tags, params, body: ban, response: one },
    handler: async ({ visit, params, body }) => shutOut(await allow(visit, 'users.manage'), params.id, body, await actorOf(visit)),
  })

  app.delete('/api/admin/users/:id/ban', {
    schema: { summary: 'Let someone in again', tags, params, response: one },
    handler: async ({ visit, params }) => directory.unbanUser(params.id, await actorOf(visit)),
  })
}
