import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { issueFormToken } from '#app/leads/spam/form-token.server.ts'
import { callUrlOf } from '#app/leads/lead/call-link.server.ts'
import { FIRST_PAGE_VERSION } from '#app/leads/lead/page-link.server.ts'
import { enquiryBody, enquiryReceipt, idempotencyKey, sentReceipt, toEnquiry } from '#app/leads/lead/contact.ts'
import { quarantined } from '#app/leads/lead/lead.ts'
import { enquiryLimit, takeEnquiry } from './contact.server.ts'
import { listQuarantine, releaseEnquiry } from '#app/leads/spam/quarantine.server.ts'
import { countQuarantine } from '#app/leads/spam/quarantine-count.server.ts'

/** The endpoints of incoming enquiries: anyone sends them, doubtful ones go to quarantine, staff release them. */
export const contactApi: Api = async (app) => {
  app.post('/api/contact', {
    schema: {
      summary: 'Send an enquiry',
      headers: z.looseObject({ 'idempotency-key': z.optional(idempotencyKey) }),
      body: enquiryBody,
      response: { 201: sentReceipt },
    },
    config: { limit: enquiryLimit, isRefusedLast: true },
    async handler({ body, headers, requestContext }, reply) {
      const { homepage, token, proof, idempotencyKey: inBody, page, referrer, ...fields } = body
      const cameFrom = sourceOf(fields.form, { page, referrer }, headers)
      const evidence = { trapped: Boolean(homepage), token, proof }
      const sender = { address: requestContext.address, idempotencyKey: headers['idempotency-key'] ?? inBody }
      const receipt = await takeEnquiry({ ...toEnquiry(fields), cameFrom }, evidence, sender)
      return reply.status(201).send({ ...receipt, callUrl: callUrlOf({ contactId: receipt.id, pageVersion: FIRST_PAGE_VERSION }) })
    },
  })

  app.get('/api/contact/token', {
    schema: { summary: 'Record that a form was opened', response: { 200: z.object({ token: z.string() }) } },
    config: { limit: { name: 'form-token', points: 120, seconds: 600 } },
    async handler(_request, reply) {
      reply.header('cache-control', 'no-store')
      return { token: issueFormToken() }
    },
  })

  app.get('/api/contacts/quarantine', {
    schema: {
      summary: 'List enquiries in quarantine, newest first',
      querystring: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50), before: z.uuid().optional() }),
      response: { 200: z.array(quarantined) },
    },
    async handler(request, reply) {
      await allow(request.requestContext, 'leads.read')
      reply.header('x-total-count', await countQuarantine())
      return listQuarantine(request.query)
    },
  })

  app.post('/api/contacts/:id/release', {
    schema: {
      summary: 'Make a kept-aside enquiry a lead',
      params: z.object({ id: z.uuid('Enquiry not found.') }),
      response: { 200: enquiryReceipt },
    },
    async handler(request) {
      const { id } = await allow(request.requestContext, 'leads.write')
      const contact = await releaseEnquiry(request.params.id, id)
      return contact ?? stop('notFound', 'This enquiry is not in quarantine.')
    },
  })
}
