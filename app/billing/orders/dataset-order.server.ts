import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { endOfPeriod } from './period.ts'
import { grantIn } from '#app/datasets/access/grant.server.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { buyerAddress } from './recipients.server.ts'
import { totalText } from './totals.ts'
import { onEnded, onPaid } from './fulfilment.server.ts'
import { orderFailedEmail, orderPaidEmail } from './order.email.tsx'

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
  // The email of a subscription, which says when it renews, is sent after the subscription has started.
  const buyer = order.subscriptionId ? undefined : await findBuyer(trx, order)
  if (buyer) await enqueueEmail(trx, orderPaidEmail(buyer.email, buyer.ordered))
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

async function tellFailed(trx: Trx, order: Row<'orders'>): Promise<void> {
  if (order.state !== 'failed') return
  const buyer = await findBuyer(trx, order)
  if (buyer) await enqueueEmail(trx, orderFailedEmail(buyer.email, { ...buyer.ordered, failure: order.failure }))
}

/** The address of the buyer of a dataset, while they may still see it, and the order in words. */
export async function findBuyer(trx: Trx, order: Row<'orders'>) {
  const { userId, productId, reference, title } = order
  if (!userId || !productId) return undefined
  const email = await buyerAddress(trx, order)
  const product = await trx.selectFrom('dataProducts').select('slug').where('id', '=', productId).executeTakeFirst()
  if (!email || !product) return undefined
  return { email, ordered: { reference, title, slug: product.slug, total: totalText(order) } }
}

onPaid('dataset', grantOrder)
onPaid('dataset', tellPaid)
onEnded('dataset', tellFailed)
