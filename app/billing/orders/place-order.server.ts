import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { insert, type Trx } from '#app/platform/database/db.server.ts'
import { newReference } from '#app/platform/database/reference.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { NewRow, Row } from '#db/tables.ts'
import { sellOrder } from './fulfilment.server.ts'
import type { OrderLicence, SupplyConsent } from './order.ts'
import type { Totals } from './totals.ts'

type Given = Pick<NewRow<'orders'>, 'kind' | 'organizationId' | 'userId' | 'title' | 'currency'> &
  Partial<
    Pick<
      NewRow<'orders'>,
      | 'method'
      | 'productId'
      | 'offerId'
      | 'subscriptionId'
      | 'proposalId'
      | 'includes'
      | 'discountCodeId'
      | 'purchaseOrder'
      | 'isBusiness'
      | 'taxBy'
      | 'isTest'
      | 'expiresAt'
      | 'dueAt'
    >
  > & { totals: Totals; licence?: OrderLicence; supplyConsent?: SupplyConsent | undefined }

/** Places an order of any kind, in the caller's transaction. One by invoice is owed at once, so its invoice is issued with it. */
export async function placeOrder(trx: Trx, { totals, licence, supplyConsent, ...given }: Given, actor: Actor = {}): Promise<Row<'orders'>> {
  const { lines, taxParts, net, tax, gross } = totals
  if (gross < 0) stop('unprocessable', 'An order cannot be negative.')
  const order = await insert(trx, 'orders', {
    isTest: env.PAYMENTS.includes('test'),
    ...given,
    reference: await freeReference(trx),
    lines: JSON.stringify(lines),
    taxParts: JSON.stringify(taxParts),
    net,
    tax,
    gross,
    licence: licence ? JSON.stringify(licence) : null,
    supplyConsent: supplyConsent ? JSON.stringify(supplyConsent) : null,
  })
  const detail = { order: order.reference, amount: gross, currency: order.currency }
  await audit(trx, 'order_placed', { ...by(actor), subjectId: order.organizationId, detail })
  if (order.method === 'invoice') await sellOrder(trx, order)
  return order
}

/** The database refuses a duplicate; asking first saves the transaction. */
async function freeReference(trx: Trx): Promise<string> {
  for (;;) {
    const reference = newReference('B')
    const taken = await trx.selectFrom('orders').select('id').where('reference', '=', reference).executeTakeFirst()
    if (!taken) return reference
  }
}
