import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { readBehind } from '#app/platform/database/replica.server.ts'
import {
  createdAtOf,
  createdBefore,
  createdColumns,
  type CreatedRow,
  inBatches,
  type ListFile,
} from '#app/platform/tables/list-file.server.ts'
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
      return sendExport(reply, { name: 'audit', list: await exportEvents(choice), format })
    },
  })
}

type ExportedEvent = CreatedRow & Record<'action' | 'by' | 'about' | 'address' | 'detail', string | null>

/** All matching events, newest first. A deleted account is named by its id. */
async function exportEvents(choice: AuditChoice): Promise<ListFile<ExportedEvent>> {
  const wanted = await filteredEvents(choice)
  const nameOf = (id: RawBuilder<unknown>) => sql`coalesce((SELECT email::text FROM accounts WHERE accounts.id = ${id}), ${id}::text)`
  return {
    columns: {
      Action: ({ action }) => action,
      By: ({ by }) => by,
      About: ({ about }) => about,
      Address: ({ address }) => address,
      Detail: ({ detail }) => detail,
      At: createdAtOf,
    },
    batches: inBatches(async (last, limit) => {
      const { rows } = await readBehind(sql<ExportedEvent>`
        SELECT action, address::text, detail::text, ${nameOf(sql`actor_id`)} AS by, ${nameOf(sql`subject_id`)} AS about, ${createdColumns}
        FROM audit_events WHERE ${wanted} AND ${createdBefore(last)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`)
      return rows
    }),
  }
}
