import { allow, may } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { summariseLeads } from '#app/leads/figures/lead-summary.server.ts'
import { toStaffHome, workspaceHome } from './workspace.ts'
import { customerWorkspace, listWaiting } from './workspace.server.ts'

const DAY_MS = 24 * 3_600_000

export const homeApi: Api = async (app) => {
  app.get('/api/workspace', {
    schema: { summary: 'Your open work and recent changes, by role', response: { 200: workspaceHome } },
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const currentUser = await allow(request.requestContext, 'workspace.enter')
      if (!may(currentUser, 'leads.read')) return customerWorkspace(currentUser.id)
      const since = new Date(Date.now() - DAY_MS)
      return toStaffHome(await summariseLeads(), await listWaiting(since, { decides: may(currentUser, 'users.manage') }), since)
    },
  })
}
