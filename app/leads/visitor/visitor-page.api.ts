import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { visitorPage } from './visitor-page.ts'
import { findVisitorPage, replaceVisitorLink } from './visitor-page.server.ts'

const params = z.object({ reference: z.string().max(60, 'Lead not found.') })
const idOf = async ({ reference }: { reference: string }) => (await findLeadId(reference)) ?? stop('notFound', 'Lead not found.')

/** The visitor's own page of a lead: its link. */
export const visitorPageApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get('/api/visitor-pages/:reference', {
    schema: { summary: 'Read the link of the visitor’s page', params, response: { 200: visitorPage } },
    handler: async ({ params }) => findVisitorPage(await idOf(params)),
  })

  app.post('/api/visitor-pages/:reference', {
    schema: { summary: 'Make a new link for the visitor’s page; the old one stops working', params, response: { 200: visitorPage } },
    handler: async ({ params, requestContext }) => replaceVisitorLink(await idOf(params), true, await staffOf(requestContext)),
  })

  app.delete('/api/visitor-pages/:reference', {
    schema: { summary: 'Revoke the link of the visitor’s page', params, response: { 200: visitorPage } },
    handler: async ({ params, requestContext }) => replaceVisitorLink(await idOf(params), false, await staffOf(requestContext)),
  })
}

async function staffOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'leads.write')
  return { id, address: requestContext.address }
}
