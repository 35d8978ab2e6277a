import { findShelved } from '#app/datasets/shelf.server.ts'
import { addVersion } from './first-shelf.server.ts'
import { shopPrices } from './shop-prices.ts'

const SLUG = 'daily-shop-prices'
const CHANGES = 'The whole year: October 2025 to September 2026, more than a million rows.'

/** Gives the daily prices their whole year, as the next version; answers its rows, or 0 where the product is gone or has them already. */
export async function addWholeYear(): Promise<number> {
  const { product, version } = (await findShelved(SLUG, { hidden: true })) ?? {}
  if (!product || version?.changes === CHANGES) return 0
  await addVersion(product.id, SLUG, { sheet: shopPrices(), changes: CHANGES })
  return (await findShelved(SLUG, { hidden: true }))?.version?.rows ?? 0
}
