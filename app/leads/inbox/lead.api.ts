import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { newConsultation } from './consultation.ts'
import { convertToConsultation, noteConsultation } from './consultation.server.ts'
import { findContact, listEnquiriesOf } from './contact.server.ts'
import { listedConsultation, ownEnquiry, wholeContact } from './lead.ts'
import { leadSummary } from './lead-summary.ts'
import { summariseLeads } from './lead-summary.server.ts'

const params = z.object({ id: z.uuid('Enquiry not found.') })
const unknown = () => stop('notFound', 'Enquiry not found.')

/** The staff endpoints for single leads and lists of leads. */
export const leadApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, /^(GET|HEAD)$/.test(request.method) ? 'leads.read' : 'leads.write')
  })

  app.get(
    '/api/leads/summary',
    { schema: { summary: 'Read the figures of the sales dashboard', response: { 200: leadSummary } } },
    async () => summariseLeads(),
  )

  app.get('/api/contacts/:id', {
    schema: { summary: 'Read one enquiry with its related records', params, response: { 200: wholeContact } },
    async handler({ params }) {
      return (await findContact(params.id)) ?? unknown()
    },
  })

  app.post('/api/contacts/:id/consultation', {
    schema: { summary: 'Convert an enquiry to a consultation', params, response: { 200: listedConsultation, 201: listedConsultation } },
    async handler({ params }, reply) {
      const { consultation, isNew } = await convertToConsultation(params.id)
      return reply.status(isNew ? 201 : 200).send(written(consultation))
    },
  })

  app.post('/api/consultations', {
    schema: { summary: 'Create a consultation', body: newConsultation, response: { 201: listedConsultation } },
    async handler({ body }, reply) {
      return reply.status(201).send(written(await noteConsultation(body)))
    },
  })
}

/** The endpoints for a signed-in person's own enquiries. */
export const ownEnquiryApi: Api = async (app) => {
  app.get('/api/me/enquiries', {
    schema: { summary: 'List your own enquiries, newest first', response: { 200: z.array(ownEnquiry) } },
    async handler(request, reply) {
      const currentUser = await allow(request.requestContext, 'workspace.enter')
      reply.header('cache-control', 'no-store')
      return listEnquiriesOf(currentUser.id)
    },
  })
}

function written<Made extends { createdAt: Date }>(made: Made) {
  return { ...made, createdAt: made.createdAt.toISOString() }
}
