import { useQuery } from '@tanstack/react-query'
import type { StaffVersion } from '#app/datasets/version.ts'
import { apiQuery } from '#app/platform/api.ts'
import { versionsUrl } from '#app/product-form/product-urls.ts'

/** Milliseconds between two looks at a file that is being read. */
const LOOK_AGAIN = 1_000

/** All versions of a product, newest first. While one is being read, they are asked for again and again. */
export function useVersions(productId: string) {
  return useQuery({
    ...apiQuery<StaffVersion[]>(versionsUrl(productId)),
    refetchInterval: ({ state }) => (state.data?.some((version) => version.state === 'processing') ? LOOK_AGAIN : false),
  })
}
