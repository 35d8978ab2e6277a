import { allow } from '#app/access.server.ts'
import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { findFirstSteps, hideFirstSteps } from './first-steps.server.ts'
import { FIRST_STEPS, firstSteps, firstStepsChoice, stepEvents } from './first-steps.ts'

for (const name of stepEvents) defineLiveTopic({ name, permission: 'first-steps.see' })

export const firstStepsApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'first-steps.see')
  })

  app.get(FIRST_STEPS, {
    schema: { summary: 'Read the first steps of an owner and which are done', response: { 200: firstSteps } },
    handler: async ({ requestContext }) => findFirstSteps(await allow(requestContext, 'first-steps.see')),
  })

  app.put(FIRST_STEPS, {
    schema: { summary: 'Hide or show the first steps for yourself', body: firstStepsChoice, response: { 200: firstSteps } },
    async handler({ requestContext, body: { isHidden } }) {
      const owner = await allow(requestContext, 'first-steps.see')
      await hideFirstSteps(owner.id, isHidden)
      return findFirstSteps(owner)
    },
  })
}
