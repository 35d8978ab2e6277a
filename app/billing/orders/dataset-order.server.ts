import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { currentAccounts } from '#app/auth/users/account.server.ts'
import { endOfPeriod } from '#app/billing/subscriptions/period.ts'
import { priceOfPeriod, totalsOfPeriod } from '#app/billing/subscriptions/renewal-order.server.ts'
import { findInterval } from '#app/billing/subscriptions/subscription-state.server.ts'
import { grantIn } from '#app/datasets/access/grant.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { totalText } from './totals.ts'
import { onEnded, onPaid, onSettled } from './fulfilment.server.ts'
import { orderFailedEmail, orderPaidEmail, type Renewal } from './order.email.tsx'

/**
 * Gives an organization what it has bought: the versions of the day, or those of 12 months. Called with the payment; where staff allow an organization to
 * pay later, also when the order is placed. A second call does nothing. A feed ends with its subscription, which gives it.
 */
export async function grantOrder(trx: Trx, { id, productId, organizationId, userId, includes, reference }: Row<'orders'>): Promise<void> {
  if (!productId || !includes || includes === 'feed') return
  const bought = new Date()
  const until = includes === 'year' ? endOfPeriod(bought, 'year') : bought
  const given = { productId, organizationId, userId, paymentReference: reference, orderId: id, versionsUntil: until }
  await grantIn(trx, given, { id: userId ?? undefined })
  await trx.updateTable('orders').set({ grantedAt: now }).where('id', '=', id).where('grantedAt', 'is', null).execute()
}

async function tellPaid(trx: Trx, order: Row<'orders'>): Promise<void> {
  const buyer = await findBuyer(trx, order)
  const renewal = await findRenewal(trx, order)
  if (buyer) await enqueueEmail(trx, orderPaidEmail(buyer.email, { ...buyer.ordered, ...(renewal && { renewal }) }))
  const { id, title, gross, currency, reference } = order
  await enqueue(
    trx,
    notificationJob({
      kind: 'order',
      title: `${title} was bought for ${moneyText(gross, currency)}`.slice(0, 200),
      link: `/admin/billing/orders/${reference}`,
      subjectId: id,
      dedupeKey: `order_paid:${id}`,
      to: { roles: ['staff', 'owner'] },
    }),
  )
}

/** The next period of the subscription that an order has started. One that a discount gave whole ends with its first period. */
async function findRenewal(trx: Trx, { subscriptionId, gross }: Row<'orders'>): Promise<Renewal | undefined> {
  const subscription =
    subscriptionId && (await trx.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirst())
  if (!subscription || subscription.state !== 'active' || !subscription.periodEnd) return undefined
  const start = subscription.periodEnd
  const every = await findInterval(trx, subscription.offerId)
  const renewal = { day: longDay(start), every, amount: undefined }
  if (gross === 0) return renewal
  try {
    const next = await totalsOfPeriod(trx, subscription, { start, end: endOfPeriod(start, every) })
    return { ...renewal, amount: await priceOfPeriod(trx, subscription, next.gross) }
  } catch (error) {
    // No rule for the tax of that day must not keep a payment from being booked.
    if (!(error instanceof Stop)) throw error
    return { ...renewal, amount: `${moneyText(subscription.amount, subscription.currency)} before tax` }
  }
}

async function tellFailed(trx: Trx, order: Row<'orders'>): Promise<void> {
  if (order.state !== 'failed') return
  const buyer = await findBuyer(trx, order)
  if (buyer) await enqueueEmail(trx, orderFailedEmail(buyer.email, { ...buyer.ordered, failure: order.failure }))
}

async function findBuyer(trx: Trx, order: Row<'orders'>) {
  const { userId, productId, reference, title } = order
  if (!userId || !productId) return undefined
  const account = await currentAccounts(trx).select('accounts.email').where('accounts.id', '=', userId).executeTakeFirst()
  const product = await trx.selectFrom('dataProducts').select('slug').where('id', '=', productId).executeTakeFirst()
  if (!account?.email || !product) return undefined
  return { email: account.email, ordered: { reference, title, slug: product.slug, total: totalText(order) } }
}

onPaid('dataset', grantOrder)
// After its subscription has started, which the email describes.
onSettled(async (trx, order) => {
  if (order.kind === 'dataset') await tellPaid(trx, order)
})
onEnded('dataset', tellFailed)
