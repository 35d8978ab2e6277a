import type { Actor } from '#app/auth/users/audit.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { recipientsOf } from '#app/billing/orders/recipients.server.ts'
import { isPeriod, lockOrder } from '#app/billing/orders/order-state.server.ts'
import { endOrder } from '#app/billing/orders/fulfilment.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { closeBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { applyCheckout } from './apply-checkout.server.ts'
import type { Interval } from './provider.server.ts'
import { findProvider, providerFor } from './providers.server.ts'
import { findOwed } from './settlement.server.ts'

/** Providers want at least half an hour. */
const CHECKOUT_MS = 60 * 60_000

/** The page of an order: it leads to the provider, and is where people come back to. */
export const payPath = (reference: string) => `/pay/${reference}`

type Ways = {
  /** Both are paths of this site. Without them it is the page of the order. */
  returnPath?: string
  cancelPath?: string
}

/**
 * The address where an order is paid. Two clicks and two tabs get the same page, because each attempt is written first and the provider makes one page
 * for its key.
 */
export async function startCheckoutFor(orderId: string, { returnPath, cancelPath }: Ways = {}): Promise<string> {
  const provider = providerFor()
  const period = await findPeriodPage(orderId)
  if (period !== undefined)
    return period || stop('conflict', 'The payment provider charges this renewal by itself.', { code: 'is_renewal' })
  const { checkout, order, every } = await transaction((trx) => openCheckout(trx, orderId, provider.name))
  if (checkout.url !== '') return checkout.url
  const page = payPath(order.reference)
  const { stripeCustomer: customer, ...buyer } = await findOrganization(order.organizationId)
  const started = await provider.startCheckout(
    {
      checkoutId: checkout.id,
      orderId,
      title: order.title,
      amount: checkout.amount,
      currency: checkout.currency,
      ...(order.taxBy === 'provider' && { tax: { ...buyer, isBusiness: order.isBusiness } }),
      email: await findBuyerEmail(order),
      customer,
      returnUrl: `${env.SITE_URL}${returnPath ?? page}`,
      cancelUrl: `${env.SITE_URL}${cancelPath ?? `${page}?back=1`}`,
      expiresAt: checkout.expiresAt ?? new Date(Date.now() + CHECKOUT_MS),
      // An upgrade is paid once; its subscription has begun.
      ...(order.kind === 'dataset' && order.subscriptionId && every && { subscription: { id: order.subscriptionId, every } }),
    },
    checkout.id,
  )
  await db
    .updateTable('checkouts')
    .set({ providerId: started.id, url: started.url, expiresAt: started.expiresAt })
    .where('id', '=', checkout.id)
    .execute()
  if (started.customer && !customer) {
    await db.updateTable('organizations').set({ stripeCustomer: started.customer }).where('id', '=', order.organizationId).execute()
  }
  return started.url
}

/**
 * Ends an unpaid order. Its page at the provider ends first, so that it cannot be paid afterwards; what was paid at the last moment counts.
 * `askedBy`: the person whose request is approved with it.
 */
export async function cancelOrder(orderId: string, actor: Actor, reason = '', askedBy?: string): Promise<void> {
  if ((await findPeriodPage(orderId)) !== undefined) {
    stop('conflict', 'The payment provider charges this renewal by itself. Cancel the subscription instead.', { code: 'is_renewal' })
  }
  const open = await db.selectFrom('checkouts').selectAll().where('orderId', '=', orderId).where('state', '=', 'open').execute()
  for (const checkout of open) await endPage(checkout)
  const isEnded = await transaction(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order?.state !== 'open' || (askedBy && order.cancelAskedBy !== askedBy)) return false
    await trx.updateTable('checkouts').set({ state: 'expired' }).where('orderId', '=', orderId).where('state', '=', 'open').execute()
    if (askedBy) await closeBillingTask(trx, { kind: 'cancel_asked', orderId }, 'Approved', actor.id)
    return endOrder(trx, orderId, 'cancelled', reason, actor)
  })
  if (!isEnded) stop('conflict', 'This order can no longer be cancelled: it is being paid, or has ended.', { code: 'order_ended' })
}

/** Ends a page at its provider, and applies what happened on it before that. */
export async function endPage({ provider: name, providerId }: Pick<Row<'checkouts'>, 'provider' | 'providerId'>): Promise<void> {
  const provider = findProvider(name)
  if (!provider || !providerId) return
  await provider.endCheckout(providerId)
  await applyCheckout(provider, providerId)
}

/** Those of open periods for which the provider has a page now. */
export async function findPaged(orderIds: readonly string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set()
  const pages = db
    .selectFrom('checkouts')
    .select('orderId')
    .where('orderId', 'in', orderIds)
    .where('state', '=', 'open')
    .where('url', '!=', '')
  return new Set((await pages.execute()).map(({ orderId }) => orderId))
}

/** The provider's own page of an open period, empty where it has none. A second page would let a customer pay it twice. */
async function findPeriodPage(orderId: string): Promise<string | undefined> {
  const order = await db.selectFrom('orders').select(['kind', 'state', 'expiresAt']).where('id', '=', orderId).executeTakeFirst()
  if (!order || order.state !== 'open' || !isPeriod(order)) return undefined
  const page = await db.selectFrom('checkouts').select('url').where('orderId', '=', orderId).where('state', '=', 'open').executeTakeFirst()
  return page?.url ?? ''
}

async function openCheckout(trx: Trx, orderId: string, provider: Row<'checkouts'>['provider']) {
  const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
  if (order.state === 'paid') stop('conflict', 'This order is paid already.', { code: 'order_paid' })
  if (order.state === 'processing') stop('conflict', 'A payment of this order is on its way.', { code: 'order_processing' })
  if (order.state !== 'open') stop('conflict', 'This order has ended. Please order again.', { code: 'order_ended' })
  // A part of an invoice can be paid already, by bank transfer.
  const amount = await findOwed(trx, order)
  const known = await trx
    .selectFrom('checkouts')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('state', '=', 'open')
    .where('provider', '=', provider)
    .where('amount', '=', amount)
    .where('expiresAt', '>', new Date())
    .executeTakeFirst()
  const every = await findInterval(trx, order.offerId)
  if (known) return { checkout: known, order, every }
  const expiresAt = new Date(Date.now() + CHECKOUT_MS)
  const made = await insert(trx, 'checkouts', { orderId, provider, amount, currency: order.currency, expiresAt })
  return { checkout: made, order, every }
}

async function findInterval(trx: Trx, offerId: string | null): Promise<Interval | undefined> {
  const offer = offerId ? await trx.selectFrom('productOffers').select('charged').where('id', '=', offerId).executeTakeFirst() : undefined
  return offer && offer.charged !== 'once' ? offer.charged : undefined
}

async function findOrganization(id: string) {
  const columns = ['stripeCustomer', 'countryCode', 'vatNumber'] as const
  return db.selectFrom('organizations').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
}

async function findBuyerEmail({ userId, organizationId }: Row<'orders'>): Promise<string> {
  const buyer = userId ? await directory.findUser(userId) : undefined
  if (buyer?.email) return buyer.email
  const [address = ''] = await recipientsOf(db, { organizationId, userId }, 'instead')
  return address
}
