import { z } from 'zod/mini'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'

/** The user's own access to a product. */
export const ownAccessUrl = (id: string) => `${PRODUCTS}/${id}/own-access`

/** The user's own access: the time and outcome of their request, and the end of their grant. Times are ISO 8601. */
export const ownAccess = z.object({
  askedAt: z.nullable(z.string()),
  /** The outcome of the last request; null while it is open. */
  outcome: z.nullable(z.enum(['granted', 'declined'])),
  grantedAt: z.nullable(z.string()),
  /** Null also for a grant without an end. */
  grantedUntil: z.nullable(z.string()),
  /** The end of the versions that were bought; null where all are included. */
  versionsUntil: z.nullable(z.string()),
})

export type OwnAccess = z.infer<typeof ownAccess>
