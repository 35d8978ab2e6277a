import { totalsOf, type Totals } from '#app/billing/orders/totals.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { taxAtCheckout, taxOf } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { mediumDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { productName } from './subscription-state.server.ts'

type Subscription = Row<'subscriptions'>
type Period = { start: Date; end: Date }

/** The total of a period with the tax of its day, unless the provider adds it. `discount` is deducted before tax. */
export async function totalsOfPeriod(
  trx: Trx,
  subscription: Pick<Subscription, 'organizationId' | 'productId' | 'amount' | 'isTest' | 'currency' | 'taxBy'>,
  { start, end }: Period,
  discount = 0,
): Promise<Totals> {
  const { organizationId, amount, isTest, currency, taxBy } = subscription
  const buyer = await trx.selectFrom('organizations').selectAll().where('id', '=', organizationId).executeTakeFirstOrThrow()
  const detail = `${dayText(start)} to ${dayText(end)}`
  const line = {
    title: await productName(trx, subscription),
    detail,
    quantity: 1000,
    unitAmount: amount,
    discount,
    supply: 'data' as const,
  }
  return totalsOf([line], taxBy === 'provider' ? taxAtCheckout : taxOf(buyer, new Date(), { isTest, currency }))
}

/**
 * The price of a period as text. `asked` is its total, without tax where the provider adds the tax. The provider computes that tax as it did for the
 * newest paid period, so the price includes it if that period has the same net.
 */
export async function priceOfPeriod(trx: Trx, { id, currency, taxBy }: Subscription, asked: number): Promise<string> {
  if (taxBy === 'table') return moneyText(asked, currency)
  const last = await trx
    .selectFrom('orders')
    .select(['net', 'gross', 'providerTax'])
    .where('subscriptionId', '=', id)
    .where('state', '=', 'paid')
    .orderBy('periodEnd', 'desc')
    .executeTakeFirst()
  return last?.net === asked && last.providerTax ? moneyText(last.gross, currency) : `${moneyText(asked, currency)} plus tax`
}

/** As the invoice writes it: where the business is. */
function dayText(at: Date): string {
  return mediumDay(new Date(businessDay(at, billing.zone)))
}

/** Places the order of a period. `offerId` is another one for an upgrade. */
export async function placeRenewal(
  trx: Trx,
  subscription: Subscription,
  { start, end }: Period,
  { totals, offerId = subscription.offerId, expiresAt = null }: { totals: Totals; offerId?: string; expiresAt?: Date | null },
): Promise<Row<'orders'>> {
  const { id: subscriptionId, organizationId, userId, productId, currency, isTest, taxBy } = subscription
  const title = await productName(trx, subscription)
  const facts = { subscriptionId, organizationId, userId, productId, offerId, currency, isTest, title, taxBy, totals, expiresAt }
  const first = await trx
    .selectFrom('orders')
    .select('isBusiness')
    .where('subscriptionId', '=', subscriptionId)
    .where('kind', '=', 'dataset')
    .executeTakeFirst()
  const { id } = await placeOrder(trx, { ...facts, kind: 'renewal', includes: 'feed', isBusiness: first?.isBusiness ?? true })
  return trx.updateTable('orders').set({ periodStart: start, periodEnd: end }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}
