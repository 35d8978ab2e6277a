import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'

/** All products in catalog order, unpublished ones included. */
export const STAFF_PRODUCTS = '/api/admin/data-products'

export const productUrl = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
export const versionsUrl = (id: string) => `${productUrl(id)}/versions`
