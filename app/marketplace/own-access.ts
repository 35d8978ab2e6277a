import { z } from 'zod/mini'
import { PRODUCTS } from '#app/datasets/addresses.ts'

/** Where someone reads how they stand with a product. */
export const ownAccessUrl = (id: string) => `${PRODUCTS}/${id}/own-access`

/** How someone stands with a product: when they asked for it, how that ended, and until when they have it. Times are ISO 8601. */
export const ownAccess = z.object({
  askedAt: z.nullable(z.string()),
  /** What became of the last request; null while it waits. */
  outcome: z.nullable(z.enum(['granted', 'declined'])),
  grantedAt: z.nullable(z.string()),
  /** Null also for good. */
  grantedUntil: z.nullable(z.string()),
})

export type OwnAccess = z.infer<typeof ownAccess>
