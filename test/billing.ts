import { applyEvent } from '#app/billing/payments/events.server.ts'
import { startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { actOnTestCheckout } from '#app/billing/payments/test-checkout.server.ts'
import type { TestDeed } from '#app/billing/payments/test-deed.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { makeProduct } from './factories.ts'

type Given = Partial<
  Pick<Parameters<typeof placeOrder>[1], 'kind' | 'method' | 'organizationId' | 'productId' | 'currency' | 'includes'>
> & {
  userId: string
  amount?: number
  taxRate?: number
}

/** An open order of a person, of a dataset with a price unless told otherwise. */
export async function makeOrder({ userId, amount = 14_900, taxRate = 0, ...given }: Given): Promise<Row<'orders'>> {
  const { kind = 'dataset', organizationId = userId, currency = 'USD', includes = 'year' } = given
  const productId = given.productId ?? (kind === 'dataset' ? (await makeProduct({ priceCents: amount })).id : undefined)
  const line = { title: 'Shop prices', detail: '', quantity: 1000, unitAmount: amount, discount: 0, supply: 'data' as const }
  const totals = totalsOf([line], () => ({ category: taxRate > 0 ? 'S' : 'O', rate: taxRate, reason: '' }))
  const order = { kind, organizationId, userId, currency, includes, totals, title: 'Shop prices', productId, method: given.method }
  return transaction((trx) => placeOrder(trx, order))
}

/** Starts the checkout of an order at the test provider, and returns its id there. */
export async function startTestCheckout(orderId: string): Promise<string> {
  return new URL(await startCheckoutFor(orderId)).pathname.split('/').at(-1) ?? ''
}

/** Presses a button of the test page, and runs the jobs of the events that come of it. */
export async function pressTest(checkout: string, deed: TestDeed): Promise<void> {
  await actOnTestCheckout(checkout, deed)
  await applyWaitingEvents()
}

export async function applyWaitingEvents(): Promise<void> {
  const waiting = await db.selectFrom('paymentEvents').select('id').where('appliedAt', 'is', null).orderBy('receivedAt').execute()
  for (const { id } of waiting) await applyEvent(id)
}

/** The balance of each account, over all entries of an order. */
export async function balancesOf(orderId: string | null): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .select((of) => ['account', of.fn.sum<string>('amount').as('amount')])
    .where('orderId', orderId === null ? 'is' : '=', orderId)
    .groupBy('account')
    .execute()
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]).filter(([, amount]) => amount !== 0))
}
