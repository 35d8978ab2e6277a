import { applyCheckout } from '#app/billing/payments/apply-checkout.server.ts'
import type { PaymentProvider } from '#app/billing/payments/provider.server.ts'
import { applyPeriod } from '#app/billing/subscriptions/apply-subscription.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import type { Row } from '#db/tables.ts'

/** Finds a payment by the id of its provider. Its own event may not have come yet: then it is applied first. */
export async function ensurePayment(provider: PaymentProvider, providerId: string): Promise<string | undefined> {
  const known = await findPayment(provider, providerId)
  if (known) return known
  const payment = await provider.read('payment', providerId)
  if (payment?.periodId) await applyPeriod(provider, payment.periodId)
  else if (payment?.checkoutId && UUID.test(payment.checkoutId)) {
    const checkout = await db.selectFrom('checkouts').select('providerId').where('id', '=', payment.checkoutId).executeTakeFirst()
    if (checkout?.providerId) await applyCheckout(provider, checkout.providerId)
  }
  return findPayment(provider, providerId)
}

async function findPayment({ name }: PaymentProvider, providerId: string): Promise<string | undefined> {
  const found = db.selectFrom('payments').select('id').where('provider', '=', name).where('providerId', '=', providerId)
  return (await found.executeTakeFirst())?.id
}

export type PaymentWithOrder = { payment: Row<'payments'>; order: Row<'orders'> | undefined }

/**
 * Locks the order of a payment, and then the payment. The order is undefined unless exactly one order holds money of the payment: an order that ended has
 * released its part.
 */
export async function lockPayment(trx: Trx, paymentId: string, orderId?: string | null): Promise<PaymentWithOrder | undefined> {
  const only = orderId === undefined ? await findOnlyOrder(trx, paymentId) : (orderId ?? undefined)
  const order = only ? await trx.selectFrom('orders').selectAll().where('id', '=', only).forUpdate().executeTakeFirst() : undefined
  const payment = await trx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
  return payment && { payment, order }
}

async function findOnlyOrder(trx: Trx, paymentId: string): Promise<string | undefined> {
  const shares = await trx
    .selectFrom('paymentAllocations')
    .select('orderId')
    .where('paymentId', '=', paymentId)
    .groupBy('orderId')
    .having((of) => of.fn.sum('amount'), '>', 0)
    .execute()
  return shares.length === 1 ? shares[0]?.orderId : undefined
}
