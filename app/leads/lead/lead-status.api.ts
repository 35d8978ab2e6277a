import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { proposalMark, leadStatus } from './lead.ts'
import { markAnswered, markWaiting, reopenProposal, settleProposal } from './lead-status.server.ts'

const params = z.object({ id: z.uuid('Enquiry not found.') })
const response = { 200: leadStatus }
const unknown = () => stop('notFound', 'Enquiry not found.')

/** The status of an enquiry, which stops or restarts the promised clocks. The actor is logged. */
export const leadStatusApi: Api = async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(request.requestContext, 'leads.write')
  })

  app.post('/api/contacts/:id/answer', {
    schema: { summary: 'Mark an enquiry as answered', params, response },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return (await markAnswered(params.id, id)) ?? unknown()
    },
  })

  app.delete('/api/contacts/:id/answer', {
    schema: { summary: 'Mark an enquiry as unanswered again', params, response },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return (await markWaiting(params.id, id)) ?? unknown()
    },
  })

  app.post('/api/contacts/:id/proposal', {
    schema: {
      summary: 'Mark a proposal as sent or not needed',
      params,
      body: z.object({ proposal: proposalMark }),
      response,
    },
    async handler({ params, body, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return (await settleProposal(params.id, body.proposal, id)) ?? unknown()
    },
  })

  app.delete('/api/contacts/:id/proposal', {
    schema: { summary: 'Remove the record of a proposal', params, response },
    async handler({ params, requestContext }) {
      const { id } = await allow(requestContext, 'leads.write')
      return (await reopenProposal(params.id, id)) ?? unknown()
    },
  })
}
