import { useQueryClient } from '@tanstack/react-query'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { STAFF_PRODUCTS } from './product-urls.ts'
import { renewProduct } from './product-responses.ts'

export function useProductOrder(list: readonly StaffProduct[]) {
  const client = useQueryClient()
  return useOrder({
    list,
    url: STAFF_PRODUCTS,
    nameOf: ({ name }) => name,
    meaning: 'The first one is the first that customers see.',
    send: async ({ ids }) => apiRequest('PATCH', `${PRODUCTS}/order`, { ids }),
    onFailure: (error) => showFailure('Order not changed', error),
    askAgain: async () => renewProduct(client),
  })
}
