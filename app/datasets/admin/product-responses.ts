import type { QueryClient } from '@tanstack/react-query'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { PRODUCT_REQUESTS } from '#app/datasets/access/entitlement.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** The queries that show a product. */
export const productAddresses = [STAFF_PRODUCTS, PRODUCTS, PRODUCT_REQUESTS]

/** Reloads every list of products and all below it. */
export function renewProduct(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [url] }) => typeof url === 'string' && productAddresses.some((beginning) => url.startsWith(beginning)),
  })
}
