import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { notification, notificationKind, notificationPage, NOTIFICATIONS } from './notification.ts'
import { listNotifications, markAllRead, markNotification, markOpened } from './notification.server.ts'

const id = z.uuid('There is no such notification.')

/** The notifications of the signed-in person. Those of others do not exist here. */
export const notificationApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get(NOTIFICATIONS, {
    schema: {
      summary: 'List your notifications, newest first',
      querystring: z.object({
        unread: z.enum(['true', 'false']).default('false'),
        kind: z.optional(notificationKind),
        cursor: id.optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
      response: { 200: notificationPage },
    },
    async handler({ query: { unread, ...asked }, requestContext }) {
      const person = await allow(requestContext, 'workspace.enter')
      return listNotifications({ ...asked, person, unread: unread === 'true', kind: asked.kind, cursor: asked.cursor })
    },
  })

  app.patch(`${NOTIFICATIONS}/:id`, {
    schema: {
      summary: 'Mark a notification as read or unread',
      params: z.object({ id }),
      body: z.object({ read: z.boolean() }),
      response: { 200: notification },
    },
    async handler({ params, body: { read }, requestContext }) {
      const { id: userId } = await allow(requestContext, 'workspace.enter')
      return (await markNotification(userId, params.id, read)) ?? stop('notFound', 'There is no such notification.')
    },
  })

  app.post(`${NOTIFICATIONS}/read`, {
    schema: {
      summary: 'Mark every notification up to this one, or every one of a kind, as read',
      body: z.object({ upTo: id, kind: z.optional(notificationKind) }),
      response: { 200: z.object({ marked: z.number() }) },
    },
    async handler({ body: { upTo, kind }, requestContext }) {
      const { id: userId } = await allow(requestContext, 'workspace.enter')
      return { marked: await markAllRead(userId, upTo, kind) }
    },
  })

  app.post(`${NOTIFICATIONS}/opened`, {
    schema: {
      summary: 'Mark the notifications that lead to a page as read',
      body: z.object({
        path: z
          .string('Name the page.')
          .max(2000, 'This address is too long.')
          .regex(/^\/(?!\/)/, 'Name a page of this site.'),
      }),
      response: { 200: z.object({ marked: z.number() }) },
    },
    async handler({ body: { path }, requestContext }) {
      const { id: userId } = await allow(requestContext, 'workspace.enter')
      return { marked: await markOpened(userId, path) }
    },
  })
}
