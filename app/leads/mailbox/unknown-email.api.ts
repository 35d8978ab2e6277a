import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { leadFromEmail } from '#app/leads/lead/new-lead.ts'
import { addToLead, LEAD_INBOX, leadEmail, leadOfEmail, madeLead, unknownEmails } from './unknown-email.ts'
import { addEmailToLead, dismissEmail, findReceivedEmail, listUnknownEmails, makeLead, takeEmailBack } from './unknown-email.server.ts'

const UNKNOWN = 'There is no such email.'
const params = z.object({ id: z.uuid(UNKNOWN) })
const unknown = () => stop('notFound', UNKNOWN)
const CURSOR = 'There is no such page.'

const listQuery = z.object({
  state: z.enum(['received', 'dismissed'], 'state is received or dismissed.').default('received'),
  cursor: z.string().max(200, CURSOR).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

/** Emails of unknown senders, and any received email. Its HTML and files are read as those of leads. */
export const unknownEmailApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get(LEAD_INBOX, {
    schema: { summary: 'List emails of unknown senders', querystring: listQuery, response: { 200: unknownEmails } },
    handler: async ({ query: { state, cursor, limit } }) => listUnknownEmails({ state, cursor, limit }),
  })

  app.get(`${LEAD_INBOX}/:id`, {
    schema: { summary: 'Read a received email', params, response: { 200: leadEmail } },
    handler: async ({ params: { id } }) => (await findReceivedEmail(id)) ?? unknown(),
  })

  app.post(`${LEAD_INBOX}/:id/lead`, {
    schema: {
      summary: 'Make a lead of an email, which gives what the body does not',
      params,
      body: z.union([leadFromEmail, z.null()]).optional(),
      response: { 201: madeLead },
    },
    async handler({ params: { id }, body, requestContext }, reply) {
      return reply.status(201).send(await makeLead(id, body ?? undefined, await staffOf(requestContext)))
    },
  })

  app.put(`${LEAD_INBOX}/:id/lead`, {
    schema: { summary: 'Add an email to a lead', params, body: addToLead, response: { 200: leadOfEmail } },
    async handler({ params: { id }, body: { reference }, requestContext }) {
      await addEmailToLead(id, reference, await staffOf(requestContext))
      return { reference }
    },
  })

  app.delete(`${LEAD_INBOX}/:id/lead`, {
    schema: { summary: 'Take an email back from the lead that staff added it to', params, response: { 204: z.null() } },
    async handler({ params: { id }, requestContext }, reply) {
      await takeEmailBack(id, await staffOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  for (const [action, summary] of [
    ['dismiss', 'Dismiss an email of an unknown sender'],
    ['restore', 'Bring a dismissed email back'],
  ] as const) {
    app.post(`${LEAD_INBOX}/:id/${action}`, {
      schema: { summary, params, response: { 204: z.null() } },
      async handler({ params: { id } }, reply) {
        await dismissEmail(id, action === 'dismiss')
        return reply.status(204).send(null)
      },
    })
  }
}

async function staffOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'leads.write')
  return { id, address: requestContext.address }
}
