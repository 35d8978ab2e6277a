import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { type StaffProduct, staffProduct } from '#app/datasets/catalog/product.ts'
import { PRODUCT_REQUESTS } from '#app/datasets/access/entitlement.ts'
import { ApiError } from '#app/platform/browser/api.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** The queries that show a product. */
export const productAddresses = [STAFF_PRODUCTS, PRODUCTS, PRODUCT_REQUESTS]

/** Reloads every list of products and all below it. */
export function renewProduct(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [url] }) => typeof url === 'string' && productAddresses.some((beginning) => url.startsWith(beginning)),
  })
}

/** The server's error for each field. */
export function refusedProductFields(error: Error): Record<string, string> {
  return (error instanceof ApiError && error.problem?.errors) || {}
}

const editConflict = z.object({ code: z.literal('edit_conflict'), current: staffProduct })

/** The version that someone else saved meanwhile, if that is the server's reason. */
export function newerProductIn(error: Error): StaffProduct | undefined {
  const read = editConflict.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.current : undefined
}
