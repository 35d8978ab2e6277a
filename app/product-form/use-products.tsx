import { useQuery } from '@tanstack/react-query'
import type { StaffProduct } from '#app/datasets/product.ts'
import { apiQuery } from '#app/platform/api.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'

/** Milliseconds between two looks at a shelf on which a file is being read. */
const LOOK_AGAIN = 2_000

/** The whole shelf. While a file is being read somewhere on it, it is asked for again and again. */
export function useProducts() {
  return useQuery({
    ...apiQuery<StaffProduct[]>(STAFF_PRODUCTS),
    refetchInterval: ({ state }) => (state.data?.some(({ newestState }) => newestState === 'processing') ? LOOK_AGAIN : false),
  })
}
