import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { apiKey, keyBody, keyName, keyUsage, madeKey, quotaBody, rotation } from './api-key.ts'
import { makeKey, renameKey, revokeKey, rotateKey, setQuota } from './api-key.server.ts'
import { listOwnKeys } from './key-list.server.ts'
import { findUsage } from './usage.server.ts'

const params = z.object({ id: z.uuid('A key is named by its id.') })
const tags = ['keys']
const bodyLimit = 16 * 1024

/** One's own keys of the Data API. A key never opens these: they are for whoever is signed in. */
export const apiKeyApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'workspace.enter')
  })

  app.get('/api/keys', {
    schema: { summary: 'List your API keys', tags, response: { 200: z.array(apiKey) } },
    handler: async ({ visit }) => listOwnKeys(await idOf(visit)),
  })

  app.post('/api/keys', {
    schema: {
      summary: 'Make an API key',
      description: 'The answer alone has the key itself.',
      tags,
      body: keyBody,
      response: { 201: madeKey },
    },
    bodyLimit,
    handler: async ({ visit, body }, reply) =>
      reply.status(201).send(await makeKey((await allowFresh(visit, 'workspace.enter')).id, body, await actorOf(visit))),
  })

  app.patch('/api/keys/:id', {
    schema: { summary: 'Give an API key another name', tags, params, body: keyName, response: { 200: apiKey } },
    bodyLimit,
    handler: async ({ visit, params: { id }, body }) =>
      (await renameKey(await idOf(visit), id, body.name, await actorOf(visit))) ?? absent(),
  })

  app.post('/api/keys/:id/rotate', {
    schema: {
      summary: 'Put another API key in the place of one',
      description: 'The old key works on for `overlapHours`. The answer alone has the new one.',
      tags,
      params,
      body: rotation,
      response: { 201: madeKey },
    },
    bodyLimit,
    async handler({ visit, params: { id }, body }, reply) {
      const viewer = await allowFresh(visit, 'workspace.enter')
      const made = await rotateKey(viewer.id, id, body.overlapHours, await actorOf(visit))
      return reply.status(201).send(made ?? absent())
    },
  })

  app.delete('/api/keys/:id', {
    schema: { summary: 'Revoke an API key', tags, params, response: { 204: z.null() } },
    async handler({ visit, params: { id } }, reply) {
      if (!(await revokeKey(await idOf(visit), id, await actorOf(visit)))) absent()
      return reply.status(204).send(null)
    },
  })

  app.get('/api/keys/:id/usage', {
    schema: { summary: 'Show what an API key was used for', tags, params, response: { 200: keyUsage } },
    handler: async ({ visit, params: { id } }) => (await findUsage(await idOf(visit), id)) ?? absent(),
  })
}

/** What staff decide of a customer's key. */
export const keyQuotaApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }) => void (await allow(visit, 'products.write')))

  app.patch('/api/admin/keys/:id', {
    schema: { summary: 'Set the monthly quota of an API key', tags, params, body: quotaBody, response: { 200: apiKey } },
    bodyLimit,
    handler: async ({ visit, params: { id }, body }) => (await setQuota(id, body.monthlyQuota, await actorOf(visit))) ?? absent(),
  })
}

async function idOf(visit: Visit): Promise<string> {
  return (await allow(visit, 'workspace.enter')).id
}

async function actorOf(visit: Visit) {
  return { id: await idOf(visit), address: visit.address }
}

function absent(): never {
  return stop('notFound', 'There is no such key.')
}
