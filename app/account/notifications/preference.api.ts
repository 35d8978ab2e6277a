import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { notificationPreferences, preferencesBody, PREFERENCES, PUSH_DEVICES, pushDevice, pushSubscriptionBody } from './preference.ts'
import { findOwnPreferences, savePreferences } from './preference.server.ts'
import { addPushDevice, removePushDevice } from './push-device.server.ts'

const bodyLimit = 16 * 1024
const subscriptions: Limit = { name: 'push-subscriptions', points: 60, seconds: 3600 }

/** How the signed-in person is told, and the browsers that show notifications. */
export const preferenceApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get(PREFERENCES, {
    schema: { summary: 'Read how you are notified', response: { 200: notificationPreferences } },
    handler: async ({ requestContext }) => findOwnPreferences(await allow(requestContext, 'workspace.enter')),
  })

  app.put(PREFERENCES, {
    schema: {
      summary: 'Choose how you are notified',
      description: 'Quiet hours are minutes since midnight. They hold back emails and push messages; a digest comes at its hour.',
      body: preferencesBody,
      response: { 200: notificationPreferences },
    },
    bodyLimit,
    async handler({ requestContext, body }) {
      const person = await allow(requestContext, 'workspace.enter')
      await savePreferences(person, body)
      return findOwnPreferences(person)
    },
  })

  app.post(PUSH_DEVICES, {
    schema: {
      summary: 'Turn notifications on in this browser',
      description: 'The body is the browser’s `PushSubscription`. It ends with the sign-in.',
      body: pushSubscriptionBody,
      response: { 201: pushDevice },
    },
    bodyLimit,
    async handler({ requestContext, headers, body }, reply) {
      const { id, sessionId } = await allow(requestContext, 'workspace.enter')
      await consume(subscriptions, id)
      return reply.status(201).send(await addPushDevice({ id, sessionId, userAgent: headers['user-agent'] }, body))
    },
  })

  app.delete(`${PUSH_DEVICES}/:id`, {
    schema: {
      summary: 'Turn notifications off in a browser',
      params: z.object({ id: z.uuid('There is no such device.') }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, params }, reply) {
      const { id } = await allow(requestContext, 'workspace.enter')
      if (!(await removePushDevice(id, params.id))) stop('notFound', 'There is no such device.')
      return reply.status(204).send(null)
    },
  })
}
