import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { writeRules } from '#app/redirect-files/rule-file.server.ts'
import { formats } from '#app/redirect-files/rule-file.ts'
import { changing, listRedirects, MOST_REDIRECTS } from '#app/redirects/redirect-list.server.ts'
import { EXPORT, exportQuery, IMPORT, importBody, type ImportBody, type ImportReport, importQuery, importReport } from './rule-import.ts'
import { judgeImport } from './rule-import.server.ts'
import { writeRedirects } from './write-redirects.server.ts'
import { textAnswer } from '#app/platform/answer-schema.ts'

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
    config: { audit: 'redirects_imported', limit: perVisitor('redirects.import', 60, '10 minutes') },
    handler: async ({ query, body }) => importRules(body, query.dry === 'true'),
  })

  app.get(EXPORT, {
    schema: {
      summary: 'Export redirects as a file',
      tags,
      querystring: exportQuery,
      response: { 200: textAnswer('The file.', 'text/csv', 'application/json', 'text/plain') },
    },
    config: { audit: 'redirects_exported' },
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

/** What can be taken is written at once, all of it or nothing. */
async function importRules(body: ImportBody, isDry: boolean): Promise<ImportReport> {
  const known = await listRedirects()
  const { lines, taken } = await judgeImport(body, body.replace ? [] : known, MOST_REDIRECTS)
  if (isDry) return { lines, written: 0 }
  // What is judged takes a while, so the list is not held meanwhile; it is compared when it is.
  await changing(async (trx) => writeRedirects(trx, taken, { known, now: await listRedirects(trx), replace: body.replace }))
  return { lines, written: taken.length }
}
