import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { membershipOf, requireRight } from '#app/organizations/organization/membership.server.ts'
import { apiKey, keyBody, type KeyBody, keyName, keyUsage, madeKey, type MadeKey, quotaBody, rotation } from './api-key.ts'
import { makeKey, renameKey, revokeKey, rotateKey, setQuota, undoRevocation } from './api-key.server.ts'
import { ownKeys } from './key-holding.server.ts'
import { listOwnKeys } from './key-list.server.ts'
import { findUsage } from './usage.server.ts'

const params = z.object({ id: z.uuid('Invalid key id.') })
const tags = ['keys']
const bodyLimit = 16 * 1024

/** A user's own keys of the Data API. API keys cannot open these endpoints, only sessions can. */
export const apiKeyApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/keys', {
    schema: { summary: 'List your API keys', tags, response: { 200: z.array(apiKey) } },
    handler: async ({ requestContext }) => listOwnKeys(await ownKeysOf(requestContext)),
  })

  app.post('/api/keys', {
    schema: {
      summary: 'Create an API key',
      description: 'Only this response contains the key itself.',
      tags,
      body: keyBody,
      response: { 201: madeKey },
    },
    bodyLimit,
    handler: async ({ requestContext, body }, reply) => reply.status(201).send(await makeOwnKey(requestContext, body)),
  })

  app.patch('/api/keys/:id', {
    schema: { summary: 'Rename an API key', tags, params, body: keyName, response: { 200: apiKey } },
    bodyLimit,
    handler: async ({ requestContext, params: { id }, body }) =>
      (await renameKey(await ownKeysOf(requestContext), id, body.name, await actorOf(requestContext))) ?? absent(),
  })

  app.post('/api/keys/:id/rotate', {
    schema: {
      summary: 'Rotate an API key',
      description: 'The old key keeps working for `overlapHours`. Only this response contains the new one.',
      tags,
      params,
      body: rotation,
      response: { 201: madeKey },
    },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }, reply) {
      const currentUser = await allowFresh(requestContext, 'workspace.enter')
      const made = await rotateKey(ownKeys(currentUser.id), id, body.overlapHours, await actorOf(requestContext))
      return reply.status(201).send(made ?? absent())
    },
  })

  app.delete('/api/keys/:id', {
    schema: { summary: 'Revoke an API key', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      if (!(await revokeKey(await ownKeysOf(requestContext), id, await actorOf(requestContext)))) absent()
      return reply.status(204).send(null)
    },
  })

  app.post('/api/keys/:id/restore', {
    schema: {
      summary: 'Undo the revocation of an API key',
      description: 'Possible for 30 seconds, for the person who revoked it.',
      tags,
      params,
      response: { 200: apiKey },
    },
    handler: async ({ requestContext, params: { id } }) =>
      (await undoRevocation(await ownKeysOf(requestContext), id, await actorOf(requestContext))) ?? absent(),
  })

  app.get('/api/keys/:id/usage', {
    schema: { summary: 'Show what an API key was used for', tags, params, response: { 200: keyUsage } },
    handler: async ({ requestContext, params: { id } }) => (await findUsage(await ownKeysOf(requestContext), id)) ?? absent(),
  })
}

/** Staff set the quota of a customer's key. */
export const keyQuotaApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'products.write')))

  app.patch('/api/admin/keys/:id', {
    schema: { summary: 'Set the monthly quota of an API key', tags, params, body: quotaBody, response: { 200: apiKey } },
    bodyLimit,
    handler: async ({ requestContext, params: { id }, body }) =>
      (await setQuota(id, body.monthlyQuota, await actorOf(requestContext))) ?? absent(),
  })
}

/** For the organization of the request. */
async function makeOwnKey(requestContext: RequestContext, body: KeyBody): Promise<MadeKey> {
  const currentUser = await allowFresh(requestContext, 'workspace.enter')
  const organization = await membershipOf(requestContext, currentUser)
  requireRight(organization, 'take')
  return makeKey(ownKeys(currentUser.id, organization.id), body, { id: currentUser.id, address: requestContext.address })
}

async function ownKeysOf(requestContext: RequestContext) {
  return ownKeys(await idOf(requestContext))
}

async function idOf(requestContext: RequestContext): Promise<string> {
  return (await allow(requestContext, 'workspace.enter')).id
}

async function actorOf(requestContext: RequestContext) {
  return { id: await idOf(requestContext), address: requestContext.address }
}

function absent(): never {
  return stop('notFound', 'There is no such key.')
}
