import { jsonAnswer } from '#app/platform/http/response-schema.ts'
import { Readable } from 'node:stream'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { exportAccount, noteExport } from './account-export.server.ts'

const perPerson: Limit = { name: 'account-export', points: 10, seconds: 3600 }

/** Streams the signed-in person's data as a file while it is read, without a row limit. */
export const accountExportApi: Api = async (app) => {
  app.get('/api/account/data', {
    schema: {
      summary: 'Download all your data as JSON',
      tags: ['account'],
      response: { 200: jsonAnswer('Your data, by section.') },
    },
    exposeHeadRoute: false,
    async handler({ requestContext }, reply) {
      const { id } = await allow(requestContext, 'workspace.enter')
      await consume(perPerson, id)
      await noteExport(id)
      return reply
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="account-${new Date().toISOString().slice(0, 10)}.json"`,
          'cache-control': 'no-store',
        })
        .send(Readable.from(exportAccount(id), { objectMode: false }))
    },
  })
}
