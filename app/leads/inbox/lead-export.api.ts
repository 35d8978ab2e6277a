import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { exportConsultations, exportContacts } from './lead-export.server.ts'
import { consultationQuery, contactQuery } from './lead-query.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'

/** `bom=1` puts the byte order mark before the text, for spreadsheets that need it to see UTF-8. */
const bom = z.enum(['0', '1'], 'bom is 0 or 1').optional()

/** The two lists as files: complete, streamed while they are read, and aborted when the client disconnects. */
export const leadExportApi: Api = async (app) => {
  app.addHook('onRequest', async (request) => {
    await allow(request.requestContext, 'leads.read')
  })

  app.get('/api/contacts.csv', {
    schema: {
      summary: 'Export enquiries as CSV',
      response: { 200: textAnswer('The file.', 'text/csv') },
      querystring: z.object({ ...contactQuery.shape, bom }),
    },
    config: { audit: 'leads_exported' },
    exposeHeadRoute: false,
    handler: async ({ query }, reply) => send(reply, 'contacts', exportContacts(query, query.bom === '1')),
  })

  app.get('/api/consultations.csv', {
    schema: {
      summary: 'Export consultation requests as CSV',
      response: { 200: textAnswer('The file.', 'text/csv') },
      querystring: z.object({ ...consultationQuery.shape, bom }),
    },
    config: { audit: 'consultations_exported' },
    exposeHeadRoute: false,
    handler: async ({ query }, reply) => send(reply, 'consultations', exportConsultations(query, query.bom === '1')),
  })
}

function send(reply: FastifyReply, name: string, file: Readable) {
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
      'csv-note': GUARD_NOTE,
    })
    .send(file)
}
