import { Readable } from 'node:stream'
import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'
import { datevFile } from './datev.server.ts'
import { documentsArchive } from './documents-archive.server.ts'
import { listedMonth, type MonthFile, monthFileNames, monthFiles, monthParams, MONTHS } from './month-end.ts'
import { closeMonth, listMonths } from './month-end.server.ts'
import { ecSalesFile, journalFile, openItemsFile, usSalesFile, vatFile } from './month-files.server.ts'

const tags = ['billing']
const CSV = 'text/csv; charset=utf-8; header=present'

const files: Record<MonthFile, { type: string; make: (month: string) => Promise<string | Buffer | Readable> }> = {
  'journal.csv': { type: CSV, make: journalFile },
  'open-items.csv': { type: CSV, make: openItemsFile },
  'vat.csv': { type: CSV, make: vatFile },
  'ec-sales.csv': { type: CSV, make: ecSalesFile },
  'us-sales.csv': { type: CSV, make: usSalesFile },
  'datev.csv': { type: 'text/csv; charset=iso-8859-1; header=present', make: datevFile },
  'documents.zip': { type: 'application/zip', make: async (month) => Readable.from(documentsArchive(month), { objectMode: false }) },
}

/** Months of the books, and their files for accountants. */
export const monthEndApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.read')
  })

  app.get(MONTHS, {
    schema: { summary: 'List the months of the books, newest first', tags, response: { 200: z.array(listedMonth) } },
    handler: async () => listMonths(),
  })

  for (const name of monthFileNames) {
    app.get(`${MONTHS}/:month/${name}`, {
      schema: {
        summary: `Get a file of a month: ${monthFiles[name]}`,
        tags,
        params: monthParams,
        response: { 200: fileResponseSchema('The file.', files[name].type.split(';')[0] ?? '') },
      },
      config: { audit: 'billing_exported' },
      exposeHeadRoute: false,
      async handler({ params: { month } }, reply) {
        const content = await files[name].make(month)
        return reply
          .headers({ 'content-type': files[name].type, 'content-disposition': `attachment; filename="${month}-${name}"` })
          .send(content)
      },
    })
  }
}

/** Closing cannot be undone, so it asks for a fresh sign-in. */
export const monthCloseApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.post(`${MONTHS}/:month/close`, {
    schema: { summary: 'Close a month of the books', tags, params: monthParams, response: { 204: z.null() } },
    async handler({ requestContext, params: { month } }, reply) {
      const { id } = await allowFresh(requestContext, 'billing.write')
      await closeMonth(month, { id, address: requestContext.address })
      return reply.status(204).send(null)
    },
  })
}
