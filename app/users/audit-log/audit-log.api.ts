import { Readable } from 'node:stream'
import { allow } from '#app/access.server.ts'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { exportEvents } from './audit-export.server.ts'
import { auditChoice, auditPage, auditQuery } from './audit-log.ts'
import { listEvents } from './audit-log.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'

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
      response: { 200: textAnswer('The file.', 'text/csv') },
      querystring: auditChoice,
    },
    config: { audit: 'audit_exported' },
    exposeHeadRoute: false,
    async handler({ query }, reply) {
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="audit-${new Date().toISOString().slice(0, 10)}.csv"`,
          'csv-note': GUARD_NOTE,
        })
        .send(Readable.from(exportEvents(query), { objectMode: false }))
    },
  })
}
