import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { writeRules } from '#app/redirect-files/rule-file.server.ts'
import { formats } from '#app/redirect-files/rule-file.ts'
import { listRedirects } from '#app/redirects/redirect.server.ts'
import { EXPORT, exportQuery, IMPORT, importBody, importQuery, importReport } from './rule-import.ts'
import { importRedirects, lookAtImport } from './rule-import.server.ts'

const tags = ['redirects']

/** In bytes: the longest text of a file, each sign of it escaped. */
const bodyLimit = 6 * 1024 * 1024

const types = { csv: 'text/csv', json: 'application/json', apache: 'text/plain', nginx: 'text/plain' }

/** Redirects as files, for staff: an import that is looked at first, and the list in the words of other programs. */
export const redirectFilesApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'redirects.write')
  })

  app.post(IMPORT, {
    schema: {
      summary: 'Import redirects, or say what an import would do',
      tags,
      querystring: importQuery,
      body: importBody,
      response: { 200: importReport },
    },
    bodyLimit,
    config: { limit: perVisitor('redirects.import', 60, '10 minutes') },
    handler: async ({ query, body }) => (query.dry === 'true' ? lookAtImport(body) : importRedirects(body)),
  })

  app.get(EXPORT, {
    schema: { summary: 'Export redirects as a file', tags, querystring: exportQuery },
    exposeHeadRoute: false,
    async handler({ query }, reply) {
      const { text, left } = writeRules(await listRedirects(), query.format)
      const ending = formats.find(({ value }) => value === query.format)?.ending ?? 'txt'
      return reply
        .headers({
          'content-type': `${types[query.format]}; charset=utf-8`,
          'content-disposition': `attachment; filename="redirects-${new Date().toISOString().slice(0, 10)}.${ending}"`,
          'rules-left-out': left.length,
        })
        .send(text)
    },
  })
}
