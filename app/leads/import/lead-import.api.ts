import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type ImportQuestion, leadImportBody, leadImport, leadImportReport, undoneImport } from './lead-import.ts'
import { readImport } from './lead-import.server.ts'
import { listImports, storeImport, undoImport } from './store-import.server.ts'

/** Bytes: the characters of the largest file can be longer in UTF-8 and as JSON. */
const LARGEST = 40 * 1024 * 1024

/** Leads of another program, from a CSV file. */
export const leadImportApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.write')
  })

  app.post('/api/leads/import', {
    schema: {
      summary: 'Import leads from a CSV file, or check it in a dry run',
      querystring: z.object({ dry: z.enum(['true', 'false'], 'dry is true or false').default('false') }),
      body: leadImportBody,
      response: { 200: leadImportReport },
    },
    bodyLimit: LARGEST,
    config: { limit: perVisitor('lead-import', 60, '10 minutes') },
    async handler({ query, body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      const { report, leads } = await readImport(body)
      if (query.dry === 'true') return report
      const open = report.questions.filter(({ chosen }) => chosen === null)
      if (open.length > 0) return refuseOpen(open)
      if (leads.length === 0) return stop('unprocessable', 'No row of this file becomes a lead.', { code: 'nothing_to_import' })
      const importId = await storeImport(body.title, leads, { id, address: requestContext.address })
      return { ...report, importId }
    },
  })

  app.get('/api/leads/imports', {
    schema: { summary: 'List imports of leads, latest first', response: { 200: z.array(leadImport) } },
    handler: async () => listImports(),
  })

  app.post('/api/leads/imports/:id/undo', {
    schema: {
      summary: 'Undo an import of leads',
      params: z.object({ id: z.uuid('There is no such import.') }),
      response: { 200: undoneImport },
    },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return undoImport(params.id, { id, address: requestContext.address })
    },
  })
}

/** An amount or a date with two readings is not guessed. */
function refuseOpen(questions: ImportQuestion[]): never {
  const sentences = questions.map(({ parameter, text, readings }) => [
    parameter,
    `“${text}” can be ${readings.map(({ value, reads }) => `${reads} (${parameter} “${value}”)`).join(' or ')}. Send ${parameter}.`,
  ])
  stop('unprocessable', sentences.map(([, sentence]) => sentence).join(' '), {
    code: 'ambiguous',
    errors: Object.fromEntries(sentences),
    problems: questions,
  })
}
