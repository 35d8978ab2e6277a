import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { declineBody } from '#app/billing/refunds/refund.ts'
import { findSecondPersonLimit } from '#app/billing/refunds/second-person.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import {
  BILLING,
  invoiceChoice,
  invoicePage,
  invoiceQuery,
  listedOrder,
  orderChoice,
  orderPage,
  orderQuery,
  paymentChoice,
  paymentPage,
  paymentQuery,
  subscriptionChoice,
  subscriptionPage,
  subscriptionQuery,
  taskPage,
  taskQuery,
} from './desk.ts'
import {
  countOpenTasks,
  exportInvoices,
  exportOrders,
  exportPayments,
  exportSubscriptions,
  listInvoices,
  listOrders,
  listOrdersOf,
  listPayments,
  listSubscriptions,
  listTasks,
} from './desk-list.server.ts'
import { approveCancel, cancelByStaff, declineCancel, findCancelCredit, pauseReminders } from './order-actions.server.ts'
import { cancelBody, orderRecord, remindersBody } from './order-record.ts'
import { findOrderRecord } from './order-record.server.ts'
import { allocationBody, enteredPayment, paymentRecord } from './payment-record.ts'
import { enterPayment, findPaymentRecord, useCredit } from './payment-record.server.ts'

const tags = ['billing']
const params = z.object({ reference: z.string().max(40, 'There is no such order.') })
const paymentParams = z.object({ id: z.uuid('There is no such payment.') })
/** In the panel of an organization. */
const PANEL_ORDERS = 20

/** The rows of a list as a file. */
const asFile = <Shape extends z.core.$ZodLooseShape>(many: string, shape: Shape) => ({
  schema: {
    summary: `Export ${many} as CSV`,
    tags,
    querystring: z.object({ ...shape, format: exportFormat }),
    response: { 200: exportAnswer },
  },
  config: { audit: 'billing_exported' as const },
  exposeHeadRoute: false,
})

/** The lists of billing for staff, and an order with everything of it. */
export const billingDeskApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.read')
  })

  app.get(`${BILLING}/orders`, {
    schema: { summary: 'List orders', tags, querystring: orderQuery, response: { 200: orderPage } },
    async handler({ query }) {
      const { rows, nextCursor } = await listOrders(query)
      return { orders: rows, nextCursor }
    },
  })

  app.get(`${BILLING}/orders.csv`, asFile('orders', orderChoice.shape), async ({ query: { format: as, ...choice } }, reply) =>
    sendExport(reply, { name: 'orders', list: exportOrders(choice), format: as }),
  )

  app.get(`${BILLING}/invoices`, {
    schema: { summary: 'List invoices and credit notes', tags, querystring: invoiceQuery, response: { 200: invoicePage } },
    async handler({ query }) {
      const { rows, nextCursor } = await listInvoices(query)
      return { invoices: rows, nextCursor }
    },
  })

  app.get(`${BILLING}/invoices.csv`, asFile('invoices', invoiceChoice.shape), async ({ query: { format: as, ...choice } }, reply) =>
    sendExport(reply, { name: 'invoices', list: exportInvoices(choice), format: as }),
  )

  app.get(`${BILLING}/payments`, {
    schema: { summary: 'List payments', tags, querystring: paymentQuery, response: { 200: paymentPage } },
    async handler({ query }) {
      const { rows, nextCursor } = await listPayments(query)
      return { payments: rows, nextCursor }
    },
  })

  app.get(`${BILLING}/payments.csv`, asFile('payments', paymentChoice.shape), async ({ query: { format: as, ...choice } }, reply) =>
    sendExport(reply, { name: 'payments', list: exportPayments(choice), format: as }),
  )

  app.get(`${BILLING}/subscriptions`, {
    schema: { summary: 'List subscriptions', tags, querystring: subscriptionQuery, response: { 200: subscriptionPage } },
    async handler({ query }) {
      const { rows, nextCursor } = await listSubscriptions(query)
      return { subscriptions: rows, nextCursor }
    },
  })

  app.get(
    `${BILLING}/subscriptions.csv`,
    asFile('subscriptions', subscriptionChoice.shape),
    async ({ query: { format: as, ...choice } }, reply) =>
      sendExport(reply, { name: 'subscriptions', list: exportSubscriptions(choice), format: as }),
  )

  app.get(`${BILLING}/tasks`, {
    schema: {
      summary: 'List what is left to decide about payments, oldest first',
      tags,
      querystring: taskQuery,
      response: { 200: taskPage },
    },
    async handler({ query }) {
      const [{ rows, nextCursor }, open] = await Promise.all([listTasks(query), countOpenTasks()])
      return { tasks: rows, open, nextCursor }
    },
  })

  app.get(`${BILLING}/payments/:id`, {
    schema: { summary: 'Read a payment with what it paid', tags, params: paymentParams, response: { 200: paymentRecord } },
    handler: async ({ requestContext, params: { id } }) => readPayment(id, await readerOf(requestContext)),
  })

  app.get('/api/admin/organizations/:id/orders', {
    schema: {
      summary: 'List the newest orders of an organization',
      tags,
      params: z.object({ id: z.string().max(40, 'There is no such organization.') }),
      response: { 200: z.array(listedOrder) },
    },
    async handler({ params: { id } }) {
      const organizationId = (await findOrganizationId(id)) ?? stop('notFound', 'There is no such organization.')
      return listOrdersOf(organizationId, PANEL_ORDERS)
    },
  })

  app.get(`${BILLING}/orders/:reference`, {
    schema: { summary: 'Read an order with everything of it', tags, params, response: { 200: orderRecord } },
    handler: async ({ requestContext, params: { reference } }) => read(reference, await readerOf(requestContext)),
  })
}

/** Changes to orders and payments by staff with `billing.write`. */
export const billingActionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.post(`${BILLING}/orders/:reference/cancel`, {
    schema: {
      summary: 'Cancel an unpaid order',
      description: 'A large order by invoice waits for a second person with the right, where there is one.',
      tags,
      params,
      body: cancelBody,
      response: { 200: orderRecord },
    },
    async handler({ requestContext, params: { reference }, body: { reason } }) {
      const actor = await actorOf(requestContext)
      const limit = await findSecondPersonLimit(requestContext, await findCancelCredit(reference))
      await cancelByStaff(reference, reason, actor, limit)
      return read(reference, actor.id)
    },
  })

  app.post(`${BILLING}/orders/:reference/cancel/approve`, {
    schema: { summary: 'Approve the cancellation that another person asked for', tags, params, response: { 200: orderRecord } },
    async handler({ requestContext, params: { reference } }) {
      const actor = await actorOf(requestContext)
      await approveCancel(reference, actor)
      return read(reference, actor.id)
    },
  })

  app.post(`${BILLING}/orders/:reference/cancel/decline`, {
    schema: { summary: 'Decline a cancellation that was asked for', tags, params, body: declineBody, response: { 200: orderRecord } },
    async handler({ requestContext, params: { reference }, body: { reason } }) {
      const actor = await actorOf(requestContext)
      await declineCancel(reference, reason, actor)
      return read(reference, actor.id)
    },
  })

  app.post(`${BILLING}/payments`, {
    schema: { summary: 'Enter a payment', tags, body: enteredPayment, response: { 201: paymentRecord } },
    async handler({ requestContext, body }, reply) {
      const actor = await actorOf(requestContext)
      const { id } = await enterPayment(body, actor)
      return reply.status(201).send(await readPayment(id, actor.id))
    },
  })

  app.post(`${BILLING}/payments/:id/allocate`, {
    schema: {
      summary: 'Use the credit of a payment for an order',
      tags,
      params: paymentParams,
      body: allocationBody,
      response: { 200: paymentRecord },
    },
    async handler({ requestContext, params: { id }, body }) {
      const actor = await actorOf(requestContext)
      await useCredit(id, body, actor)
      return readPayment(id, actor.id)
    },
  })

  app.put(`${BILLING}/orders/:reference/reminders`, {
    schema: { summary: 'Pause or continue the reminders of an order', tags, params, body: remindersBody, response: { 200: orderRecord } },
    async handler({ requestContext, params: { reference }, body: { paused } }) {
      const actor = await actorOf(requestContext)
      await pauseReminders(reference, paused, actor)
      return read(reference, actor.id)
    },
  })
}

async function readPayment(id: string, readerId: string) {
  return (await findPaymentRecord(id, readerId)) ?? stop('notFound', 'There is no such payment.')
}

async function read(reference: string, readerId: string) {
  return (await findOrderRecord(reference, readerId)) ?? stop('notFound', 'There is no such order.')
}

async function readerOf(requestContext: RequestContext): Promise<string> {
  return (await allow(requestContext, 'billing.read')).id
}

async function actorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'billing.write')).id, address: requestContext.address }
}
