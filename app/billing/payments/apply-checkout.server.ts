import { taxOrder } from '#app/billing/orders/order-tax.server.ts'
import { endOrder } from '#app/billing/orders/fulfilment.server.ts'
import type { ProviderTax } from '#app/billing/orders/order.ts'
import { lockOrder, moveOrder } from '#app/billing/orders/order-state.server.ts'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import type { Row } from '#db/tables.ts'
import { applyEventsOf, lockObject } from './events.server.ts'
import type { PaymentProvider, ProviderObjects } from './provider.server.ts'
import { findProvider } from './providers.server.ts'
import { bookFee, settlePayment } from './settlement.server.ts'

type Seen = { checkout: ProviderObjects['checkout']; payment: ProviderObjects['payment'] | undefined }

/** Applies the current state of a provider's page. The job of its events and the page to which people come back both call it. */
export async function applyCheckout(provider: PaymentProvider, id: string): Promise<string | undefined> {
  const checkout = await provider.read('checkout', id)
  if (!checkout) return `The provider has no checkout ${id}.`
  const payment = checkout.paymentId ? await provider.read('payment', checkout.paymentId) : undefined
  return transaction(async (trx) => {
    await lockObject(trx, provider.name, id)
    const known = UUID.test(checkout.checkoutId)
      ? await trx.selectFrom('checkouts').selectAll().where('id', '=', checkout.checkoutId).forUpdate().executeTakeFirst()
      : undefined
    return applySeen(trx, provider.name, known, { checkout, payment })
  })
}

/** Looks at the last page of an order at its provider. It may know more than the events that have arrived so far. */
export async function refreshCheckout(orderId: string): Promise<void> {
  const last = await db
    .selectFrom('checkouts')
    .select(['provider', 'providerId'])
    .where('orderId', '=', orderId)
    .where('providerId', 'is not', null)
    .where('state', 'in', ['open', 'processing'])
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  const provider = last && findProvider(last.provider)
  if (provider && last.providerId) await applyCheckout(provider, last.providerId)
}

async function applySeen(trx: Trx, provider: string, known: Row<'checkouts'> | undefined, seen: Seen): Promise<string | undefined> {
  const { checkout, payment } = seen
  const isOurs = known?.provider === provider && (known.providerId === null || known.providerId === checkout.id)
  if (!known || !isOurs) return `The checkout ${checkout.id} is not one of this installation.`
  const difference = await findDifference(trx, known, seen)
  if (difference) return difference
  const state = stateOf(seen)
  if (known.state !== 'complete') {
    await trx.updateTable('checkouts').set({ state, providerId: checkout.id }).where('id', '=', known.id).execute()
  }
  if (state === 'complete' && payment) return settle(trx, known, payment, checkout.tax)
  if (state === 'processing') return startProcessing(trx, known.orderId)
  if (state === 'failed') return failOrder(trx, known.orderId, payment?.failure ?? '')
  return undefined
}

/** The net is as asked, and what comes on top of it is the tax of the provider: only of orders that it taxes, and never a negative one. */
async function findDifference(trx: Trx, known: Row<'checkouts'>, { checkout, payment }: Seen): Promise<string | undefined> {
  const { taxBy } = await trx.selectFrom('orders').select('taxBy').where('id', '=', known.orderId).executeTakeFirstOrThrow()
  const tax = taxBy === 'provider' ? (checkout.tax?.tax ?? 0) : 0
  if (tax < 0 || checkout.amount - tax !== known.amount || checkout.currency !== known.currency)
    return `The checkout ${checkout.id} has another amount or currency than its order.`
  if (checkout.isPaid && taxBy === 'provider' && !checkout.tax)
    return `The checkout ${checkout.id} was paid without the tax of the provider.`
  if (payment && checkout.isPaid && (payment.amount !== checkout.amount || payment.currency !== known.currency))
    return `The payment ${payment.id} has another amount or currency than its order.`
  return undefined
}

function stateOf({ checkout, payment }: Seen): Row<'checkouts'>['state'] {
  if (checkout.isPaid) return 'complete'
  if (checkout.state !== 'complete') return checkout.state
  return payment?.state === 'failed' ? 'failed' : 'processing'
}

async function settle(
  trx: Trx,
  { orderId, provider, id: checkoutId }: Row<'checkouts'>,
  { id: providerId, amount, currency, fee, paidAt }: ProviderObjects['payment'],
  tax: ProviderTax | null,
): Promise<undefined> {
  if (tax) await taxOrder(trx, orderId, tax)
  const paid = { provider, providerId, amount, currency, fee, paidAt: paidAt ?? new Date(), checkoutId, orderId }
  const { paymentId, isNew } = await settlePayment(trx, paid)
  if (isNew || fee === null) return
  const { isTest } = await trx.selectFrom('payments').select('isTest').where('id', '=', paymentId).executeTakeFirstOrThrow()
  await bookFee(trx, { paymentId, orderId, fee, currency, isTest, occurredAt: paid.paidAt })
}

/** An order by invoice stays open until it is paid: only its attempt is on its way. */
async function startProcessing(trx: Trx, orderId: string): Promise<undefined> {
  const order = await lockOrder(trx, orderId)
  if (order?.method === 'checkout') await moveOrder(trx, order, 'processing')
}

async function failOrder(trx: Trx, orderId: string, failure: string): Promise<undefined> {
  const order = await lockOrder(trx, orderId)
  if (order?.method === 'checkout') await endOrder(trx, orderId, 'failed', failure || 'The payment failed.')
}

applyEventsOf('checkout', applyCheckout)

// A payment of a page is applied with its page. Payments of periods have none; their periods do it.
applyEventsOf('payment', async (provider, id) => {
  const payment = await provider.read('payment', id)
  if (!payment?.checkoutId || !UUID.test(payment.checkoutId)) return undefined
  const known = await db.selectFrom('checkouts').select('providerId').where('id', '=', payment.checkoutId).executeTakeFirst()
  return known?.providerId ? applyCheckout(provider, known.providerId) : undefined
})
