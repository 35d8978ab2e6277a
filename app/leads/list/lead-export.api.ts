import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { exportConsultations, exportContacts } from './lead-export.server.ts'
import { consultationQuery, contactQuery } from './lead-query.ts'

/** `bom=1` puts the byte order mark before the text, for spreadsheets that need it to see UTF-8. */
const bom = z.enum(['0', '1'], 'bom is 0 or 1').optional()

/** The two lists as files: complete, streamed while they are read, and aborted when the client disconnects. */
export const leadExportApi: Api = async (app) => {
  app.addHook('onRequest', async (request) => {
    await allow(request.requestContext, 'leads.read')
  })

  app.get('/api/contacts.csv', {
    schema: {
      summary: 'Export enquiries as CSV or Excel',
      response: { 200: exportAnswer },
      querystring: z.object({ ...contactQuery.shape, bom, format: exportFormat }),
    },
    config: { audit: 'leads_exported' },
    exposeHeadRoute: false,
    handler: async ({ query: { format, ...query } }, reply) =>
      sendExport(reply.header('cache-control', 'no-store'), {
        name: 'contacts',
        list: await exportContacts(query),
        bom: query.bom === '1',
        format,
      }),
  })

  app.get('/api/consultations.csv', {
    schema: {
      summary: 'Export consultation requests as CSV or Excel',
      response: { 200: exportAnswer },
      querystring: z.object({ ...consultationQuery.shape, bom, format: exportFormat }),
    },
    config: { audit: 'consultations_exported' },
    exposeHeadRoute: false,
    handler: async ({ query: { format, ...query } }, reply) =>
      sendExport(reply.header('cache-control', 'no-store'), {
        name: 'consultations',
        list: exportConsultations(query),
        bom: query.bom === '1',
        format,
      }),
  })
}
