import { z } from 'zod'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { takeEvent } from './events.server.ts'

const MOST_BYTES = 1024 * 1024

/** The events of payment providers. Their signatures cover the bytes of the body, so it is not read as JSON. */
export const paymentEventApi: Api = async (app) => {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.post('/api/payment-events/:provider', {
    schema: {
      summary: 'Take a signed event of a payment provider',
      params: z.object({ provider: z.string().max(20, 'There is no such provider.') }),
      body: z.instanceof(Buffer, { error: 'Send the event as JSON.' }),
      response: { 204: z.null() },
    },
    config: { limit: perVisitor('payment-events', 3000, '1 minutes'), takes: ['application/json'] },
    async handler({ headers, params: { provider }, body }, reply) {
      await takeEvent(provider, body, headers)
      return reply.status(204).send(null)
    },
  })
}
