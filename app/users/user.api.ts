import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Actor } from '#app/auth/users/audit.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { listedUser, userPage } from '#app/auth/directory/user-directory.ts'
import { listOwnOrganizations } from '#app/organizations/organization/organization.server.ts'
import { ban, invitation, rightsChange, roleChange, userOrganization, userQuery } from './user-admin.ts'
import { deleteAccount, banUser } from './user-admin.server.ts'

const params = z.object({ id: z.uuid('There is no such account.') })
const tags = ['users']
const one = { 200: listedUser }
const unknown = () => stop('notFound', 'There is no such account.')
const freshActorOf = async (requestContext: RequestContext): Promise<Actor> => ({
  id: (await allowFresh(requestContext, 'users.manage')).id,
  address: requestContext.address,
})

/** All accounts, for the owner: list, invite, change the role, suspend, delete. */
export const userApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'users.manage')
  })

  app.get('/api/admin/users', {
    schema: { summary: 'List accounts, newest first', tags, querystring: userQuery, response: { 200: userPage } },
    handler: async ({ query: { q, role, cursor, limit } }) => directory.listUsers({ search: q || undefined, role, cursor, limit }),
  })

  app.post('/api/admin/users/invite', {
    schema: { summary: 'Invite someone by email', tags, body: invitation, response: { 201: listedUser } },
    config: { limit: perVisitor('invitations', 60, '1 hours') },
    handler: async ({ requestContext, body }, reply) =>
      reply.status(201).send(await directory.inviteUser(body.email, body.role, await freshActorOf(requestContext))),
  })

  app.get('/api/admin/users/:id', {
    schema: { summary: 'Read one account', tags, params, response: one },
    handler: async ({ params }) => (await directory.findUser(params.id)) ?? unknown(),
  })

  app.get('/api/admin/users/:id/organizations', {
    schema: { summary: 'List the companies of an account', tags, params, response: { 200: z.array(userOrganization) } },
    async handler({ params: { id } }) {
      const own = await listOwnOrganizations(id, '')
      return own.flatMap(({ reference, name, role }) => (reference ? [{ reference, name, role }] : []))
    },
  })

  app.patch('/api/admin/users/:id', {
    schema: { summary: 'Change a role', tags, params, body: roleChange, response: one },
    handler: async ({ requestContext, params, body }) => directory.changeRole(params.id, body.role, await freshActorOf(requestContext)),
  })

  app.put('/api/admin/users/:id/rights', {
    schema: { summary: 'Give staff rights beside their role', tags, params, body: rightsChange, response: one },
    handler: async ({ requestContext, params, body }) =>
      directory.giveRights(params.id, [...new Set(body.rights)], await freshActorOf(requestContext)),
  })

  app.delete('/api/admin/users/:id', {
    schema: { summary: 'Delete an account', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params }, reply) {
      await deleteAccount(await allowFresh(requestContext, 'users.manage'), params.id, await freshActorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post('/api/admin/users/:id/ban', {
    schema: { summary: 'Suspend an account', tags, params, body: ban, response: one },
    handler: async ({ requestContext, params, body }) =>
      banUser(await allowFresh(requestContext, 'users.manage'), params.id, body, await freshActorOf(requestContext)),
  })

  app.delete('/api/admin/users/:id/ban', {
    schema: { summary: 'End a suspension', tags, params, response: one },
    handler: async ({ requestContext, params }) => directory.unbanUser(params.id, await freshActorOf(requestContext)),
  })
}
