import { z } from 'zod/mini'
import { staffProduct } from '#app/datasets/catalog/product.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** The polling interval in milliseconds while a file is imported. */
const LOOK_AGAIN = 2_000

/** The whole catalog, polled while any file is being imported. */
export function useProducts() {
  return usePageQuery({
    ...apiQuery(STAFF_PRODUCTS, z.array(staffProduct)),
    refetchInterval: ({ state }) => (state.data?.some(({ newestState }) => newestState === 'processing') ? LOOK_AGAIN : false),
  })
}
