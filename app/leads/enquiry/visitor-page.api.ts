import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'
import { inertPolicy } from '#app/platform/http/security-headers.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { stop } from '#app/platform/stop.ts'
import { visitorPage } from './visitor-page.ts'
import { findListedId, findVisitorFile, findVisitorPage, replaceVisitorLink } from './visitor-page.server.ts'

const params = z.object({ reference: z.string().max(60, 'Lead not found.') })
const idOf = async ({ reference }: { reference: string }) => (await findListedId(reference)) ?? stop('notFound', 'Lead not found.')

/** The visitor's own page of a lead: its link, and the files that the visitor has added. */
export const visitorPageApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get('/api/visitor-pages/:reference', {
    schema: { summary: 'Read the link of the visitor’s page, and the visitor’s files', params, response: { 200: visitorPage } },
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

  app.get('/api/visitor-files/:id', {
    schema: {
      summary: 'Download a file that a visitor has added',
      params: z.object({ id: z.uuid('There is no such file.') }),
      response: { 200: fileResponseSchema('The file.', 'application/octet-stream') },
    },
    exposeHeadRoute: false,
    async handler({ params: { id } }, reply) {
      const file = await findVisitorFile(id)
      const stored = file && (await openFile(file.storedAs))
      if (!file || !stored) return stop('notFound', 'There is no such file.')
      // Saved, never shown: a stranger chose its content.
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-length': stored.size,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name).replaceAll("'", '%27')}`,
          'content-security-policy': inertPolicy,
        })
        .send(stored.stream)
    },
  })
}

async function staffOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'leads.write')
  return { id, address: requestContext.address }
}
