import { jsonAnswer } from '#app/platform/answer-schema.ts'
import { Readable } from 'node:stream'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { exportAccount, noteExport } from './account-export.server.ts'

const perPerson: Limit = { name: 'account-export', points: 10, seconds: 3600 }

/** What is held about whoever is signed in, as a file: written while it is read, never cut off. */
export const accountExportApi: Api = async (app) => {
  app.get('/api/account/data', {
    schema: {
      summary: 'Everything that is held about you, as JSON',
      tags: ['account'],
      response: { 200: jsonAnswer('Everything, by where it is kept.') },
    },
    exposeHeadRoute: false,
    async handler({ visit }, reply) {
      const { id } = await allow(visit, 'workspace.enter')
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
