import type { Trx } from '#app/platform/database/db.server.ts'
import { type Database, db } from '#app/platform/database/db.server.ts'
import { rowCount } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { shareOf } from './totals.ts'

type Wanted = { code: string; productId: string; organizationId: string; currency: string }

/** A discount code that holds for a product and an organization now. Stops with a sentence at the field for one that does not. */
export async function findDiscount(
  { code, productId, organizationId, currency }: Wanted,
  connection: Database | Trx = db,
): Promise<Row<'discountCodes'>> {
  const found = await connection
    .selectFrom('discountCodes')
    .selectAll()
    .where('code', '=', code.trim().toUpperCase())
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  if (!found) return refuse('There is no such discount code.')
  if (found.productId && found.productId !== productId) refuse('This code is for another dataset.')
  if (found.expiresAt && found.expiresAt < new Date()) refuse('This code has expired.')
  if (found.currency && found.currency !== currency) refuse(`This code is for prices in ${found.currency}.`)
  const uses = await connection
    .selectFrom('discountUses')
    .innerJoin('orders', 'orders.id', 'discountUses.orderId')
    .select(rowCount.as('all'))
    .select((of) => of.fn.count<number>('codeId').filterWhere('discountUses.organizationId', '=', organizationId).as('own'))
    .where('codeId', '=', found.id)
    // An open order of the same dataset is the one that is placed again, or another choice takes its place.
    .where((of) =>
      of.not(
        of.and([
          of('orders.organizationId', '=', organizationId),
          of('orders.productId', '=', productId),
          of('orders.state', '=', 'open'),
          of('orders.method', '=', 'checkout'),
        ]),
      ),
    )
    .executeTakeFirstOrThrow()
  if (uses.own > 0) refuse('Your organization has used this code already.')
  if (found.mostUses !== null && uses.all >= found.mostUses) refuse('This code has been used as often as it can be.')
  return found
}

/** Uses a code for an order. Of two orders at the same time, one gets the last use. */
export async function useDiscount(trx: Trx, { id, code, productId }: Row<'discountCodes'>, order: Row<'orders'>): Promise<void> {
  await trx.selectFrom('discountCodes').select('id').where('id', '=', id).forUpdate().execute()
  const { organizationId, currency } = order
  await findDiscount({ code, productId: productId ?? order.productId ?? '', organizationId, currency }, trx)
  await trx.insertInto('discountUses').values({ codeId: id, organizationId, orderId: order.id }).execute()
}

/** How much a code takes off a price, at most all of it. */
export function discountOf({ share, amount }: Pick<Row<'discountCodes'>, 'share' | 'amount'>, price: number): number {
  return share === null ? Math.min(amount ?? 0, price) : shareOf(price, share, 4)
}

function refuse(sentence: string): never {
  stop('unprocessable', sentence, { code: 'discount_refused', errors: { code: sentence } })
}
