import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { cancelOwnOrder, findOwnOrder, isCancelledByStaff, mayCancel } from '#app/billing/buying/order-view.server.ts'
import { listInvoices } from '#app/billing/invoices/invoice.server.ts'
import { receiptOf } from '#app/billing/invoices/invoice.ts'
import { isPeriod, periodOf } from '#app/billing/orders/order-state.server.ts'
import { totalText } from '#app/billing/orders/totals.ts'
import { findPaged } from '#app/billing/payments/checkout.server.ts'
import { OWN_ORDERS } from '#app/datasets/catalog/receipt.ts'
import { mayIn } from '#app/organizations/organization/organization.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { type OwnOrder, ownOrderPage } from './own-order.ts'

const tags = ['billing']
const PAGE = 50

/** The orders of an organization, for its members. */
export const ownOrderApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get(OWN_ORDERS, {
    schema: {
      summary: 'List the orders of your organization, newest first',
      description: 'Members who may not buy see no amounts and no invoices.',
      tags,
      querystring: z.object({
        cursor: z.uuid('Invalid cursor.').optional(),
        /** Only this one. */
        reference: z.string().max(20, 'There is no such order.').optional(),
      }),
      response: { 200: ownOrderPage },
    },
    config: { limit: perVisitor('own-orders', 300, '1 minutes') },
    async handler({ requestContext, query }) {
      const { organization } = await allowMember(requestContext, 'workspace.enter')
      return listOwnOrders(organization.id, mayIn(organization.role, 'buy'), query)
    },
  })

  app.post(`${OWN_ORDERS}/:reference/cancel`, {
    schema: {
      summary: 'Cancel an order that is not paid',
      tags,
      params: z.object({ reference: z.string().max(20, 'There is no such order.') }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, params: { reference } }, reply) {
      const user = await allow(requestContext, 'workspace.enter')
      const { order } = await findOwnOrder(user, reference)
      await cancelOwnOrder(order, { id: user.id, address: requestContext.address })
      return reply.status(204).send(null)
    },
  })
}

type Wanted = { cursor?: string | undefined; reference?: string | undefined }

async function listOwnOrders(organizationId: string, seesAmounts: boolean, { cursor, reference }: Wanted) {
  const rows = await db
    .selectFrom('orders')
    .leftJoin('dataProducts', (on) => on.onRef('dataProducts.id', '=', 'orders.productId').on('removedAt', 'is', null))
    .selectAll('orders')
    .select('slug')
    .where('organizationId', '=', organizationId)
    .$if(cursor !== undefined, (query) => query.where('orders.id', '<', cursor ?? ''))
    .$if(reference !== undefined, (query) => query.where('orders.reference', '=', reference?.toUpperCase() ?? ''))
    .orderBy('orders.id', 'desc')
    .limit(PAGE + 1)
    .execute()
  const invoices = seesAmounts ? await listInvoices({ orderIds: rows.map(({ id }) => id) }) : []
  const paged = await findPaged(rows.filter((row) => row.state === 'open' && isPeriod(row)).map(({ id }) => id))
  const { refunds, withdrawn } = await listReturns(rows.map(({ id }) => id))
  const items = rows.slice(0, PAGE).map(({ net, tax, gross, createdAt, dueAt, paidAt, ...row }) => ({
    ...row,
    period: periodOf(row),
    isConsumer: !row.isBusiness && row.kind === 'dataset',
    isWithdrawn: withdrawn.has(row.id),
    refunded: shareOf(refunds.get(row.id) ?? 0, gross),
    ...(seesAmounts ? { net, tax, gross, total: totalText({ ...row, gross }) } : { net: null, tax: null, gross: null, total: null }),
    invoices: invoices.filter(({ orderId }) => orderId === row.id).map(receiptOf),
    mayCancel: mayCancel(row),
    isCancelledByStaff: isCancelledByStaff(row),
    mayPay: row.state === 'open' && (!isPeriod(row) || paged.has(row.id)),
    createdAt: createdAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    dueOn: row.method === 'invoice' && dueAt ? businessDay(dueAt, billing.zone) : null,
    paidAt: paidAt?.toISOString() ?? null,
  }))
  return { items, nextCursor: rows.length > PAGE ? (items.at(-1)?.id ?? null) : null }
}

function shareOf(amount: number, gross: number): OwnOrder['refunded'] {
  if (amount === 0) return 'none'
  return amount < gross ? 'part' : 'whole'
}

/** The amounts that were paid back, by order, and the orders from which their buyers have withdrawn. */
async function listReturns(orderIds: string[]): Promise<{ refunds: Map<string | null, number>; withdrawn: Set<string> }> {
  if (orderIds.length === 0) return { refunds: new Map(), withdrawn: new Set() }
  const refunds = await db
    .selectFrom('refunds')
    .select((of) => ['orderId', of.fn.sum<string>('amount').as('amount')])
    .where('orderId', 'in', orderIds)
    .where('state', '=', 'succeeded')
    .groupBy('orderId')
    .execute()
  const withdrawn = await db.selectFrom('orderWithdrawals').select('orderId').where('orderId', 'in', orderIds).execute()
  return {
    refunds: new Map(refunds.map(({ orderId, amount }) => [orderId, Number(amount)])),
    withdrawn: new Set(withdrawn.map(({ orderId }) => orderId)),
  }
}
