import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { BILLING_FIGURES, billingFigures } from './figures.ts'
import { findBillingFigures } from './figures.server.ts'

/** The revenue figures of the dashboard. */
export const billingFiguresApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.read')
  })

  app.get(BILLING_FIGURES, {
    schema: {
      summary: 'Revenue by month, source and service, open proposals and awaited deposits',
      tags: ['billing'],
      response: { 200: billingFigures },
    },
    handler: async () => findBillingFigures(),
  })
}
