import { PRODUCTS } from '#app/datasets/addresses.ts'

/** All products in the order of the shelf, hidden ones as well. */
export const STAFF_PRODUCTS = '/api/admin/data-products'

export const productUrl = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
export const versionsUrl = (id: string) => `${productUrl(id)}/versions`
