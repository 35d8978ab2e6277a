import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { countTestData, removeTestData } from './test-data.server.ts'
import { removalBody, TEST_DATA, testData } from './test-data.ts'

const tags = ['billing']

/** Test data of payments, for the owner. */
export const testDataApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'settings.write')
  })

  app.get(TEST_DATA, {
    schema: { summary: 'Count the test data of billing', tags, response: { 200: testData } },
    handler: async () => countTestData(),
  })

  app.post(`${TEST_DATA}/remove`, {
    schema: {
      summary: 'Remove the test data of billing',
      description: 'All orders of tests go, with everything that hangs on them. It cannot be undone. Returns what was removed.',
      tags,
      body: removalBody,
      response: { 200: testData },
    },
    async handler({ requestContext, body: { orders } }) {
      const { id } = await allowFresh(requestContext, 'settings.write')
      return removeTestData(orders, { id, address: requestContext.address })
    },
  })
}
