import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import { type StaffProduct, staffProduct } from '#app/datasets/product.ts'
import { PRODUCT_REQUESTS } from '#app/entitlements/entitlement.ts'
import { ApiError } from '#app/platform/api.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** What a change of a product can be seen in. */
export const productAddresses = [STAFF_PRODUCTS, PRODUCTS, PRODUCT_REQUESTS]

/** After a change every list of products and what lies below is read afresh. */
export function askAgain(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [url] }) => typeof url === 'string' && productAddresses.some((beginning) => url.startsWith(beginning)),
  })
}

/** What the server says at each field. */
export function refusedFields(error: Error): Record<string, string> {
  return (error instanceof ApiError && error.problem?.errors) || {}
}

const editConflict = z.object({ code: z.literal('edit_conflict'), current: staffProduct })

/** The version that another has saved meanwhile, when that is why the server refused. */
export function newerProductIn(error: Error): StaffProduct | undefined {
  const read = editConflict.safeParse(error instanceof ApiError ? error.problem : undefined)
  return read.success ? read.data.current : undefined
}
