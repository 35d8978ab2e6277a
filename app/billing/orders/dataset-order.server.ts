import { grantIn } from '#app/datasets/access/grant.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { onPaid } from './fulfilment.server.ts'

const YEAR_MONTHS = 12

/**
 * Gives an organization what it has bought: the versions of the day, or those of 12 months. Called with the payment; where staff allow an organization to
 * pay later, also when the order is placed. A second call does nothing. A feed ends with its subscription, which gives it.
 */
export async function grantOrder(trx: Trx, { id, productId, organizationId, userId, includes, reference }: Row<'orders'>): Promise<void> {
  if (!productId || !includes || includes === 'feed') return
  const until = new Date()
  if (includes === 'year') until.setUTCMonth(until.getUTCMonth() + YEAR_MONTHS)
  const given = { productId, organizationId, userId, paymentReference: reference, orderId: id, versionsUntil: until }
  await grantIn(trx, given, { id: userId ?? undefined })
  await trx.updateTable('orders').set({ grantedAt: now }).where('id', '=', id).where('grantedAt', 'is', null).execute()
}

onPaid('dataset', grantOrder)
