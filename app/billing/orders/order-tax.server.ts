import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { ProviderTax } from './order.ts'
import { lockOrder } from './order-state.server.ts'
import { withProviderTax } from './totals.ts'

/** Writes the tax of the payment provider into an order that is about to be paid. One that was paid or has ended keeps what its documents say. */
export async function taxOrder(trx: Trx, orderId: string, tax: ProviderTax): Promise<void> {
  const order = await lockOrder(trx, orderId)
  if (order?.taxBy !== 'provider' || (order.state !== 'open' && order.state !== 'processing')) return
  const { lines, taxParts, gross } = withProviderTax(order, tax)
  await trx
    .updateTable('orders')
    .set({
      lines: JSON.stringify(lines),
      taxParts: JSON.stringify(taxParts),
      tax: tax.tax,
      gross,
      providerTax: JSON.stringify(tax),
      version: order.version + 1,
      updatedAt: now,
    })
    .where('id', '=', orderId)
    .execute()
}
