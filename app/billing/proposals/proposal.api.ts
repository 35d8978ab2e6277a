import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findLeadId } from '#app/leads/lead/contact.server.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { answerQuestion } from './answer.server.ts'
import { countersignProposal } from './countersign.server.ts'
import { orderFinal, startEarly } from './payment.server.ts'
import {
  answerBody,
  countersignBody,
  leadProposals,
  newProposalBody,
  proposal,
  proposalContent,
  startBody,
  withdrawBody,
} from './proposal.ts'
import {
  beginProposal,
  discardProposal,
  findProposal,
  listLeadProposals,
  saveProposal,
  sendProposal,
  withdrawProposal,
} from './proposal.server.ts'

const tags = ['leads']
const ofLead = z.object({ reference: z.string().max(60, 'There is no such lead.') })
const params = z.object({ id: z.uuid('There is no such proposal.') })
const response = { 200: proposal }
/** In bytes: 50 lines and the terms, with every character escaped. */
const bodyLimit = 1024 * 1024

/** Proposals, for staff. Their clients have the page of `/proposal/{token}`. */
export const proposalApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'leads.read')
  })
  app.register(reads)
  app.register(writes)
}

const reads: Api = async (app) => {
  app.get('/api/leads/:reference/proposals', {
    schema: {
      summary: 'List the proposals of a lead, every version, newest first',
      tags,
      params: ofLead,
      response: { 200: leadProposals },
    },
    handler: async ({ params: { reference } }) => listLeadProposals(await leadOf(reference)),
  })

  app.get('/api/proposals/:id', {
    schema: { summary: 'Read a version of a proposal', tags, params, response },
    handler: async ({ params: { id } }, reply) => {
      const found = await findProposal(id)
      reply.header('etag', entityTag(found.version))
      return found
    },
  })
}

const writes: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'leads.write')))

  app.post('/api/leads/:reference/proposals', {
    schema: {
      summary: 'Begin a proposal, or its next version',
      description: 'A lead has one draft at a time: a second request returns it.',
      tags,
      params: ofLead,
      body: newProposalBody,
      response: { 201: proposal },
    },
    async handler({ requestContext, params: { reference }, body: { offer } }, reply) {
      const id = await beginProposal(await leadOf(reference), offer, await authorOf(requestContext))
      return reply.status(201).send(await findProposal(id))
    },
  })

  app.put('/api/proposals/:id', {
    schema: {
      summary: 'Save a draft',
      description: '`If-Match` has the version that the change is based on. Another one is a conflict with the stored draft.',
      tags,
      params,
      body: proposalContent,
      response,
    },
    bodyLimit,
    handler: async ({ requestContext, params: { id }, body, headers }) =>
      saveProposal(id, body, expectedVersion(headers['if-match']), await authorOf(requestContext)),
  })

  app.delete('/api/proposals/:id', {
    schema: { summary: 'Discard a draft', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      await discardProposal(id, await authorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post('/api/proposals/:id/send', {
    schema: {
      summary: 'Send a draft to the lead by email',
      description: 'From then on it never changes. It replaces the version that was sent before.',
      tags,
      params,
      response,
    },
    async handler({ requestContext, params: { id } }) {
      await sendProposal(id, await authorOf(requestContext))
      return findProposal(id)
    },
  })

  app.post('/api/proposals/:id/withdraw', {
    schema: { summary: 'Withdraw a version that was sent', tags, params, body: withdrawBody, response },
    async handler({ requestContext, params: { id }, body: { reason } }) {
      await withdrawProposal(id, reason, await authorOf(requestContext))
      return findProposal(id)
    },
  })

  app.put('/api/proposals/:id/questions/:questionId', {
    schema: {
      summary: 'Answer a question of the client',
      tags,
      params: params.extend({ questionId: z.uuid('There is no such question.') }),
      body: answerBody,
      response,
    },
    async handler({ requestContext, params: { id, questionId }, body: { answer } }) {
      await answerQuestion(id, questionId, answer, await authorOf(requestContext))
      return findProposal(id)
    },
  })

  app.post('/api/proposals/:id/countersign', {
    schema: { summary: 'Countersign an accepted proposal', tags, params, body: countersignBody, response },
    async handler({ requestContext, params: { id }, body: { name } }) {
      await countersignProposal(id, name, await authorOf(requestContext))
      return findProposal(id)
    },
  })

  app.post('/api/proposals/:id/start', {
    schema: { summary: 'Begin the work before the deposit is paid', tags, params, body: startBody, response },
    async handler({ requestContext, params: { id }, body: { reason } }) {
      await startEarly(id, reason, await authorOf(requestContext))
      return findProposal(id)
    },
  })

  app.post('/api/proposals/:id/final', {
    schema: {
      summary: 'Order the final payment at delivery',
      description: 'By invoice: the whole at the tax of the day, less each deposit that was paid.',
      tags,
      params,
      response,
    },
    async handler({ requestContext, params: { id } }) {
      await orderFinal(id, await authorOf(requestContext))
      return findProposal(id)
    },
  })
}

async function leadOf(reference: string): Promise<string> {
  return (await findLeadId(reference)) ?? stop('notFound', 'There is no such lead.')
}

async function authorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'leads.write')).id, address: requestContext.address }
}
