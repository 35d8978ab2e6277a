import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { cancelBody, nextPage, planBody, reopenBody, SUBSCRIPTIONS, subscriptionView, testTurnBody } from './subscription.ts'
import {
  cancelSubscription,
  changePlan,
  continueSubscription,
  findPaymentMethodPage,
  findSubscription,
  listSubscriptions,
  reopenSubscription,
} from './subscription.server.ts'
import { applyTestSubscription, findTestSubscription, turnTestClock } from './test-subscription.server.ts'

const params = z.object({ reference: z.string().max(40, 'There is no such subscription.') })
const tags = ['billing']
const bodyLimit = 4096

/** Subscriptions, for members who may buy: they cancel without talking to anyone. */
export const subscriptionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get(SUBSCRIPTIONS, {
    schema: { summary: 'List the subscriptions of your organization', tags, response: { 200: z.array(subscriptionView) } },
    handler: async ({ requestContext }) => listSubscriptions((await allowBuyer(requestContext)).organization.id),
  })

  app.post(`${SUBSCRIPTIONS}/:reference/payment-method`, {
    schema: { summary: 'Get the page on which you change the payment method of a subscription', tags, params, response: { 200: nextPage } },
    async handler({ requestContext, params: { reference } }) {
      const { subscription } = await allowSubscription(requestContext, reference)
      return { url: await findPaymentMethodPage(subscription) }
    },
  })

  app.post(`${SUBSCRIPTIONS}/:reference/cancel`, {
    schema: {
      summary: 'Cancel a subscription, now or with its period',
      description:
        'Nothing is charged after that. With `periodEnd` the access stays until the end of the period, and you can continue until then.',
      tags,
      params,
      body: cancelBody,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ requestContext, params: { reference }, body }, reply) {
      const { subscription, actor } = await allowSubscription(requestContext, reference)
      await cancelSubscription(subscription.id, body.when, actor)
      return reply.status(204).send(null)
    },
  })

  app.post(`${SUBSCRIPTIONS}/:reference/continue`, {
    schema: { summary: 'Take back the cancellation of a subscription', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { reference } }, reply) {
      const { subscription, actor } = await allowSubscription(requestContext, reference)
      await continueSubscription(subscription.id, actor)
      return reply.status(204).send(null)
    },
  })

  app.post(`${SUBSCRIPTIONS}/:reference/plan`, {
    schema: {
      summary: 'Change the plan of a subscription',
      description: 'An upgrade begins once the difference is paid at `url`. Without a `url` the plan begins with the next period.',
      tags,
      params,
      body: planBody,
      response: { 200: nextPage },
    },
    bodyLimit,
    async handler({ requestContext, params: { reference }, body }) {
      const { subscription, actor } = await allowSubscription(requestContext, reference)
      return { url: await changePlan(subscription.id, body.offerId, actor) }
    },
  })

  app.post(`${SUBSCRIPTIONS}/:reference/test-clock`, {
    schema: {
      summary: 'Let the next period of a test subscription begin',
      description: 'Of the test provider alone, which moves no money.',
      tags,
      params,
      body: testTurnBody,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ requestContext, params: { reference }, body }, reply) {
      const { subscription } = await allowSubscription(requestContext, reference)
      const id = await findTestSubscription(subscription.id)
      await turnTestClock(id, body.turn)
      await applyTestSubscription(id)
      return reply.status(204).send(null)
    },
  })
}

/** For staff with the right to billing. */
export const staffSubscriptionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.post('/api/admin/subscriptions/:reference/reopen', {
    schema: {
      summary: 'Reopen an ended subscription for the period that a late payment pays for',
      tags,
      params,
      body: reopenBody,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ requestContext, params: { reference }, body }, reply) {
      const { id } = await allow(requestContext, 'billing.write')
      const found = await db.selectFrom('subscriptions').select('id').where('reference', '=', reference.toUpperCase()).executeTakeFirst()
      if (!found) stop('notFound', 'There is no such subscription.')
      await reopenSubscription(found.id, body.paymentId, { id })
      return reply.status(204).send(null)
    },
  })
}

async function allowBuyer(requestContext: RequestContext) {
  return allowMember(requestContext, 'workspace.enter', 'buy')
}

async function allowSubscription(requestContext: RequestContext, reference: string) {
  const { id, organization } = await allowBuyer(requestContext)
  const actor = { id, address: requestContext.address }
  return { subscription: await findSubscription(organization.id, reference), actor }
}
