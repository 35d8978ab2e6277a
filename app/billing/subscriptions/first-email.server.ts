import { findBuyer } from '#app/billing/orders/dataset-order.server.ts'
import { onSettled } from '#app/billing/orders/fulfilment.server.ts'
import { orderPaidEmail, type Renewal } from '#app/billing/orders/order.email.tsx'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { priceOfPeriod, totalsOfPeriod } from './renewal-order.server.ts'
import { findInterval } from './subscription-state.server.ts'

/** The buyer of a subscription reads when it renews, what that costs, and how to cancel: once it has started. */
onSettled(async (trx, order) => {
  if (order.kind !== 'dataset' || !order.subscriptionId) return
  const buyer = await findBuyer(trx, order)
  if (!buyer) return
  const renewal = await findRenewal(trx, order)
  await enqueueEmail(trx, orderPaidEmail(buyer.email, { ...buyer.ordered, ...(renewal && { renewal }) }))
})

/** The next period. A subscription that a discount gave whole ends with its first one. */
async function findRenewal(trx: Trx, { subscriptionId, gross }: Row<'orders'>): Promise<Renewal | undefined> {
  const subscription = await trx.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirst()
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
