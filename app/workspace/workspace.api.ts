import type { Api } from '#app/platform/http/http.server.ts'
import { searchApi } from './search.api.ts'
import { allow, may } from '#app/access.server.ts'
import { summariseLeads } from '#app/leads/figures/lead-summary.server.ts'
import { toStaffHome, workspaceHome } from './workspace.ts'
import { customerWorkspace, listWaiting } from './workspace.server.ts'
import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { findFirstSteps, hideFirstSteps } from './first-steps.server.ts'
import { FIRST_STEPS, firstSteps, firstStepsChoice, stepEvents } from './first-steps.ts'

export const workspaceApi: Api = async (app) => {
  for (const api of [homeApi, searchApi, firstStepsApi]) app.register(api)
}

const DAY_MS = 24 * 3_600_000

const homeApi: Api = async (app) => {
  app.get('/api/workspace', {
    schema: { summary: 'Your open work and recent changes, by role', response: { 200: workspaceHome } },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const currentUser = await allow(request.requestContext, 'workspace.enter')
      if (!may(currentUser, 'leads.read')) return customerWorkspace(currentUser.id)
      const since = new Date(Date.now() - DAY_MS)
      const decides = may(currentUser, 'users.manage')
      const bills = may(currentUser, 'billing.write') ? currentUser.id : undefined
      return toStaffHome(await summariseLeads(), await listWaiting(since, { decides, bills }), since)
    },
  })
}

for (const name of stepEvents) defineLiveTopic({ name, permission: 'first-steps.see' })

const firstStepsApi: Api = async (app) => {
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
