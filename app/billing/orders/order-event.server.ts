import type { Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'

/** An order as other programs are told of it. Amounts are in the smallest unit of the currency. */
export async function orderEvent(trx: Trx, order: Row<'orders'>) {
  const { id, reference, kind, title, state, currency, net, tax, gross, purchaseOrder, isTest } = order
  const organization = await trx
    .selectFrom('organizations')
    .select(['id', 'reference', 'name'])
    .where('id', '=', order.organizationId)
    .executeTakeFirstOrThrow()
  const product = order.productId
    ? await trx.selectFrom('dataProducts').select(['id', 'slug']).where('id', '=', order.productId).executeTakeFirst()
    : undefined
  const amounts = { currency, net, tax, gross }
  const url = `${env.SITE_URL}/admin/billing/orders/${reference}`
  return { subjectId: id, data: { id, reference, kind, title, state, ...amounts, purchaseOrder, isTest, organization, product, url } }
}
