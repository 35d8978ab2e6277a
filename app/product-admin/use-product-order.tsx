import { useQueryClient } from '@tanstack/react-query'
import { tellFailure } from '#app/admin-view/tell-failure.ts'
import { useOrder } from '#app/admin-view/use-order.tsx'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import type { StaffProduct } from '#app/datasets/product.ts'
import { apiRequest } from '#app/platform/api.ts'
import { STAFF_PRODUCTS } from '#app/product-form/product-urls.ts'
import { askAgain } from '#app/product-form/product-answers.ts'

/** The order of the shelf. */
export function useProductOrder(list: readonly StaffProduct[]) {
  const client = useQueryClient()
  return useOrder({
    list,
    url: STAFF_PRODUCTS,
    nameOf: ({ name }) => name,
    meaning: 'The first one is the first that customers see.',
    send: async ({ ids }) => apiRequest('PATCH', `${PRODUCTS}/order`, { ids }),
    onFailure: (error) => tellFailure('Order not changed', error),
    askAgain: async () => askAgain(client),
  })
}
