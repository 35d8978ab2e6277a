import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { staffVersion } from '#app/datasets/catalog/version.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { versionsUrl } from './product-urls.ts'

/** The polling interval in milliseconds while a file is imported. */
const LOOK_AGAIN = 1_000

/** All versions of a product, newest first, polled while one is being imported. */
export function useVersions(productId: string) {
  return useQuery({
    ...apiQuery(versionsUrl(productId), z.array(staffVersion)),
    refetchInterval: ({ state }) => (state.data?.some((version) => version.state === 'processing') ? LOOK_AGAIN : false),
  })
}
