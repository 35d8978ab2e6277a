import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'
import type { Row } from '#db/tables.ts'
import { buyPath, type Offer } from './offer.ts'

type Priced = Pick<Row<'dataProducts'>, 'id' | 'priceCents' | 'priceIncludes' | 'isFree'>

/** The ways to buy a product, its own one-time price first. */
export async function listOffers({ id, priceCents, priceIncludes, isFree }: Priced): Promise<Offer[]> {
  if (isFree) return []
  const rows = await db
    .selectFrom('productOffers')
    .select(['id', 'charged', 'currency', 'amount', 'includes'])
    .where('productId', '=', id)
    .where('archivedAt', 'is', null)
    .orderBy('charged')
    .orderBy('currency')
    .execute()
  const own = { id: null, charged: 'once' as const, currency: writtenForm().currency, amount: priceCents, includes: priceIncludes }
  return [own, ...rows]
}

type Sold = Pick<Row<'dataProducts'>, 'slug' | 'isFree' | 'currentVersionId'>

/** Where a product is bought. Undefined where it is free, has no data yet, or nothing is paid online here: then access is requested. */
export function findBuyPath({ slug, isFree, currentVersionId }: Sold): string | undefined {
  const isPaidOnline = env.PAYMENTS.includes('test') || env.PAYMENTS.includes('stripe')
  return isPaidOnline && !isFree && currentVersionId !== null ? buyPath(slug) : undefined
}
