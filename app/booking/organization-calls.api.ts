import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { organizationCalls } from './organization-calls.ts'

/** The calls of an organization's people, for staff. */
export const organizationCallsApi: Api = async (app) => {
  app.get('/api/admin/organizations/:id/calls', {
    schema: {
      summary: 'List the calls of an organization, newest first',
      tags: ['organizations'],
      params: z.object({ id: z.string().max(40, 'There is no such organization.') }),
      response: { 200: organizationCalls },
    },
    async handler({ requestContext, params: { id } }, reply) {
      reply.header('cache-control', 'no-store')
      await allow(requestContext, 'leads.read')
      return listCallsOf((await findOrganizationId(id)) ?? stop('notFound', 'There is no such organization.'))
    },
  })
}

async function listCallsOf(organizationId: string) {
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('people', 'people.id', 'bookings.personId')
    .select(['bookings.id', 'bookings.name', 'status', 'startsAt'])
    .where('people.organizationId', '=', organizationId)
    .where('status', '!=', 'held')
    .orderBy('startsAt', 'desc')
    .limit(100)
    .execute()
  return rows.map(({ id, name, status, startsAt }) => ({ id, name: name ?? '', status, startsAt: startsAt.toISOString() }))
}
