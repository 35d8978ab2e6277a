import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { replayDelivery, replayFailed, sendTestEvent } from './delivery.server.ts'
import {
  changeEndpoint,
  createWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  removeEndpoint,
  rotateSecret,
} from './endpoint.server.ts'
import { findDelivery, listDeliveries } from './webhook-log.server.ts'
import {
  deliveryDetail,
  deliveryPage,
  deliveryStates,
  endpointBody,
  endpointChange,
  endpointWithSecret,
  WEBHOOK_DELIVERIES,
  webhookEndpoint,
  WEBHOOKS,
} from './webhook.ts'

const tags = ['webhooks']
const bodyLimit = 16 * 1024
const params = z.object({ id: z.uuid('There is no such endpoint.') })
const deliveryParams = z.object({ id: z.uuid('There is no such delivery.') })
const testEvents: Limit = { name: 'webhook-tests', points: 60, seconds: 3600 }

/** Endpoints of other programs, their log, and what can be done about failures. Only the owner. */
export const webhookApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'webhooks.manage')
  })

  app.get(WEBHOOKS, {
    schema: { summary: 'List the webhook endpoints', tags, response: { 200: z.array(webhookEndpoint) } },
    handler: async () => listWebhookEndpoints(),
  })

  app.post(WEBHOOKS, {
    schema: {
      summary: 'Create a webhook endpoint',
      description: 'Only this response contains the secret.',
      tags,
      body: endpointBody,
      response: { 201: endpointWithSecret },
    },
    bodyLimit,
    handler: async ({ requestContext, body }, reply) =>
      reply.status(201).send(await createWebhookEndpoint(body, await surely(requestContext))),
  })

  app.patch(`${WEBHOOKS}/:id`, {
    schema: {
      summary: 'Change, enable or disable a webhook endpoint',
      tags,
      params,
      body: endpointChange,
      response: { 200: webhookEndpoint },
    },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }) {
      // A new address gets the data of customers.
      const owner = body.url === undefined ? await ownerOf(requestContext) : await surely(requestContext)
      return ((await changeEndpoint(id, body, owner)) && (await findWebhookEndpoint(id))) || absent()
    },
  })

  app.delete(`${WEBHOOKS}/:id`, {
    schema: { summary: 'Delete a webhook endpoint with its log', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      if (!(await removeEndpoint(id, await ownerOf(requestContext)))) absent()
      return reply.status(204).send(null)
    },
  })

  app.post(`${WEBHOOKS}/:id/rotate`, {
    schema: {
      summary: 'Rotate the secret of a webhook endpoint',
      description: 'The former secret signs as well for 24 hours. Only this response contains the new one.',
      tags,
      params,
      response: { 200: endpointWithSecret },
    },
    async handler({ requestContext, params: { id } }) {
      const secret = (await rotateSecret(id, await surely(requestContext))) ?? absent()
      return { ...((await findWebhookEndpoint(id)) ?? absent()), secret }
    },
  })

  app.post(`${WEBHOOKS}/:id/test`, {
    schema: { summary: 'Send a test event', tags, params, response: { 202: z.object({ id: z.string() }) } },
    async handler({ requestContext, params: { id } }, reply) {
      await consume(testEvents, (await ownerOf(requestContext)).id)
      return reply.status(202).send({ id: (await sendTestEvent(id)) ?? absent() })
    },
  })

  app.get(`${WEBHOOKS}/:id/deliveries`, {
    schema: {
      summary: 'List the deliveries of an endpoint, newest first',
      tags,
      params,
      querystring: z.object({
        state: z.enum(deliveryStates).optional(),
        cursor: z.uuid('Unknown cursor.').optional(),
        limit: z.coerce.number().int().min(1).max(100).default(20),
      }),
      response: { 200: deliveryPage },
    },
    async handler({ params: { id }, query }) {
      if (!(await findWebhookEndpoint(id))) absent()
      return listDeliveries({ endpointId: id, ...query })
    },
  })

  app.post(`${WEBHOOKS}/:id/replay`, {
    schema: {
      summary: 'Replay the failed deliveries of an endpoint',
      description: 'At most 1,000, oldest first. Each keeps its id, so receivers recognize repeats.',
      tags,
      params,
      response: { 202: z.object({ replayed: z.number() }) },
    },
    async handler({ requestContext, params: { id } }, reply) {
      const endpoint = (await findWebhookEndpoint(id)) ?? absent()
      if (endpoint.state === 'disabled') refuseDisabled()
      return reply.status(202).send({ replayed: await replayFailed(id, await ownerOf(requestContext)) })
    },
  })

  app.get(`${WEBHOOK_DELIVERIES}/:id`, {
    schema: { summary: 'Get a delivery with its payload and attempts', tags, params: deliveryParams, response: { 200: deliveryDetail } },
    handler: async ({ params: { id } }) => (await findDelivery(id)) ?? noDelivery(),
  })

  app.post(`${WEBHOOK_DELIVERIES}/:id/replay`, {
    schema: {
      summary: 'Replay a delivery, or send one now that waits for its next attempt',
      tags,
      params: deliveryParams,
      response: { 202: z.null() },
    },
    async handler({ requestContext, params: { id } }, reply) {
      if (!(await findDelivery(id))) noDelivery()
      if (!(await replayDelivery(id, await ownerOf(requestContext))))
        stop('conflict', 'This delivery is being sent now.', { code: 'delivery_pending' })
      return reply.status(202).send(null)
    },
  })
}

async function ownerOf(requestContext: RequestContext) {
  const { id } = await allow(requestContext, 'webhooks.manage')
  return { id, address: requestContext.address }
}

async function surely(requestContext: RequestContext) {
  const { id } = await allowFresh(requestContext, 'webhooks.manage')
  return { id, address: requestContext.address }
}

function absent(): never {
  return stop('notFound', 'There is no such endpoint.')
}

function noDelivery(): never {
  return stop('notFound', 'There is no such delivery.')
}

function refuseDisabled(): never {
  return stop('conflict', 'This endpoint is disabled. Enable it first.', { code: 'endpoint_disabled' })
}
