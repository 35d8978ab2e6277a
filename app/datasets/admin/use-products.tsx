import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { staffProduct } from '#app/datasets/catalog/product.ts'
import { staffVersion } from '#app/datasets/catalog/version.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { STAFF_PRODUCTS, versionsUrl } from './product-urls.ts'

/** The polling intervals in milliseconds while a file is imported. */
const CATALOG_AGAIN = 2_000
const VERSIONS_AGAIN = 1_000

/** The whole catalog, polled while any file is being imported. */
export function useProducts() {
  return usePageQuery({
    ...apiQuery(STAFF_PRODUCTS, z.array(staffProduct)),
    refetchInterval: ({ state }) => (state.data?.some(({ newestState }) => newestState === 'processing') ? CATALOG_AGAIN : false),
  })
}

export const versionsQuery = (productId: string) => apiQuery(versionsUrl(productId), z.array(staffVersion))

/** All versions of a product, newest first, polled while one is being imported. */
export function useVersions(productId: string) {
  return useQuery({
    ...versionsQuery(productId),
    refetchInterval: ({ state }) => (state.data?.some((version) => version.state === 'processing') ? VERSIONS_AGAIN : false),
  })
}
