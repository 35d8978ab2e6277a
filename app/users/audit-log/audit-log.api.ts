import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { exportFormat } from '#app/platform/export-format.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { csvColumns, CsvExport } from '#app/platform/database/csv-export.server.ts'
import { auditChoice, type AuditChoice, auditPage, auditQuery } from './audit-log.ts'
import { listEvents } from './audit-log.server.ts'
import { filteredEvents } from './audit-choice.server.ts'

/** The endpoints of the audit log. */
export const auditLogApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'users.manage')
  })

  app.get('/api/admin/audit', {
    schema: { summary: 'List audit events, newest first', tags: ['users'], querystring: auditQuery, response: { 200: auditPage } },
    handler: async ({ query }) => listEvents(query),
  })

  app.get('/api/admin/audit.csv', {
    schema: {
      summary: 'Export the audit log as CSV',
      tags: ['users'],
      response: { 200: exportAnswer },
      querystring: z.object({ ...auditChoice.shape, format: exportFormat }),
    },
    config: { audit: 'audit_exported' },
    exposeHeadRoute: false,
    async handler({ query }, reply) {
      const { format, ...choice } = query
      return sendExport(reply, { name: 'audit', csv: await exportEvents(choice), format })
    },
  })
}

/** All matching events, newest first, as a CSV file. A deleted account is named by its id. */
async function exportEvents(choice: AuditChoice): Promise<Readable> {
  const wanted = await filteredEvents(choice)
  const nameOf = (id: RawBuilder<unknown>) => sql`coalesce((SELECT email::text FROM accounts WHERE accounts.id = ${id}), ${id}::text)`
  return new CsvExport({
    head: ['Action', 'By', 'About', 'Address', 'Detail', 'At'],
    queryFor: (condition, limit) => sql`
      SELECT ${csvColumns(['action', 'by', 'about', 'address', 'detail'])} FROM (
        SELECT id, action, address, detail, created_at, ${nameOf(sql`actor_id`)} AS by, ${nameOf(sql`subject_id`)} AS about
        FROM audit_events WHERE ${wanted} AND ${condition} ORDER BY created_at DESC, id DESC LIMIT ${limit}
      ) AS listed ORDER BY created_at DESC, id DESC`,
  })
}
