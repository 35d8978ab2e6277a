import { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { allow } from '#app/access.server.ts'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'
import { copyStatement } from '#app/platform/database/copy-statement.server.ts'
import { copyBehind } from '#app/platform/database/replica.server.ts'
import { csvColumns, CsvLines, headLine, isAfter, type RowPosition } from '#app/platform/database/csv-lines.ts'
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

/** Rows per batch. */
const BATCH = 2000

const columns = ['action', 'by', 'about', 'address', 'detail']

/** All matching events, newest first, as a CSV file in pieces. */
async function* exportEvents(choice: AuditChoice): AsyncGenerator<string | Buffer> {
  const condition = await filteredEvents(choice)
  yield headLine(['Action', 'By', 'About', 'Address', 'Detail', 'At'])
  let after: RowPosition | undefined
  for (;;) {
    const { pieces, count, last } = await readBatch(condition, after)
    yield* pieces
    if (count < BATCH) return
    after = last
  }
}

/** A deleted account is named by its id. */
async function readBatch(condition: RawBuilder<unknown>, after: RowPosition | undefined): Promise<CsvLines> {
  const nameOf = (id: RawBuilder<unknown>) => sql`coalesce((SELECT email::text FROM accounts WHERE accounts.id = ${id}), ${id}::text)`
  const rows = sql`
    SELECT ${csvColumns(columns)} FROM (
      SELECT id, action, address, detail, created_at, ${nameOf(sql`actor_id`)} AS by, ${nameOf(sql`subject_id`)} AS about
      FROM audit_events WHERE ${condition} AND ${isAfter(after)} ORDER BY created_at DESC, id DESC LIMIT ${BATCH}
    ) AS listed ORDER BY created_at DESC, id DESC`
  return copyBehind(copyStatement(rows), () => new CsvLines())
}
