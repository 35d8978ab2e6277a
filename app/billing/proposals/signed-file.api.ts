import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'
import { findByToken } from '#app/billing/orders/proposal-link.server.ts'
import { findProposal } from './proposal.server.ts'
import { findSignedFile, openSignedFile } from './signed-file.server.ts'

const limit: Limit = { name: 'proposal-file', points: 60, seconds: 600 }
const MISSING = 'There is no signed file yet. Please try again in a minute.'
const tags = ['leads']
const pdf = { 200: fileResponseSchema('The file, with the certificate of the signatures', 'application/pdf') }

/** The signed file and its signature: for staff, and for everyone with the link of the proposal. */
export const signedFileApi: Api = async (app) => {
  app.register(forStaff)
  app.register(forClients)
}

const forStaff: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'leads.read')
  })

  app.get('/api/proposals/:id/signed.pdf', {
    schema: {
      summary: 'Download the signed file of a proposal',
      tags,
      params: z.object({ id: z.uuid('There is no such proposal.') }),
      response: pdf,
    },
    handler: async ({ params: { id } }, reply) => send(reply, await findProposal(id)),
  })
}

const forClients: Api = async (app) => {
  const params = z.object({ token: z.string().max(100, 'There is no such page.') })

  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
    await consume(limit, visitorKey(requestContext.address))
  })

  app.get('/proposal/:token/signed.pdf', {
    schema: { summary: 'Download the signed file of a proposal, by its link', tags, params, response: pdf },
    handler: async ({ params: { token } }, reply) => send(reply, await named(token)),
  })

  app.get('/proposal/:token/signed.jws', {
    schema: {
      summary: 'Download our detached signature of the signed file',
      description: 'A JWS (RFC 7515, appendix F) of the SHA-256 of the file, in hex.',
      tags,
      params,
      response: { 200: fileResponseSchema('The signature', 'application/jose') },
    },
    async handler({ params: { token } }, reply) {
      const { id, reference } = await named(token)
      const { jws } = (await findSignedFile(id)) ?? stop('notFound', MISSING)
      reply.headers({ 'content-type': 'application/jose', 'content-disposition': `attachment; filename="proposal-${reference}.jws"` })
      return reply.send(jws)
    },
  })
}

async function named(token: string) {
  const row = await findByToken(token)
  return row && row.state !== 'draft' ? row : stop('notFound', 'There is no such proposal.')
}

/** The newest signed file of a version. */
async function send(reply: FastifyReply, { id, reference }: { id: string; reference: string }) {
  const known = await findSignedFile(id)
  const file = known && (await openSignedFile(known))
  if (!known || !file) return stop('notFound', MISSING)
  reply.headers({
    'content-type': 'application/pdf',
    'content-length': known.size,
    'content-disposition': `attachment; filename="proposal-${reference}.pdf"`,
  })
  return reply.send(file.stream)
}
