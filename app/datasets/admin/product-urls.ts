import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { QueryClient } from '@tanstack/react-query'
import { PRODUCT_REQUESTS } from '#app/datasets/access/entitlement.ts'
import { reload } from '#app/ui/admin/use-action.ts'

/** All products in catalog order, unpublished ones included. */
export const STAFF_PRODUCTS = '/api/admin/data-products'

export const productUrl = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
export const versionsUrl = (id: string) => `${productUrl(id)}/versions`

export const entitlementsUrl = (productId: string) => `${productUrl(productId)}/entitlements`

/** The queries that show a product. */
export const productAddresses = [STAFF_PRODUCTS, PRODUCTS, PRODUCT_REQUESTS]

/** Reloads every list of products and all below it. */
export function renewProduct(client: QueryClient): Promise<void> {
  return reload(client, productAddresses)
}
