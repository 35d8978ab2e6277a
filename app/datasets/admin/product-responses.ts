import type { QueryClient } from '@tanstack/react-query'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { PRODUCT_REQUESTS } from '#app/datasets/access/entitlement.ts'
import { reload } from '#app/ui/admin/use-action.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** The queries that show a product. */
export const productAddresses = [STAFF_PRODUCTS, PRODUCTS, PRODUCT_REQUESTS]

/** Reloads every list of products and all below it. */
export function renewProduct(client: QueryClient): Promise<void> {
  return reload(client, productAddresses)
}
