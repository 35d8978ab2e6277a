import { z } from 'zod/mini'

/** The areas that a customer can request. */
export const areaName = z.enum(['blog', 'redirects', 'marketplace', 'products'], 'must be blog, redirects, marketplace or products')

export const accessRequest = z.object({ area: areaName })

/** A request that was sent to the owner. */
export const sentRequest = z.object({ area: areaName, requestedAt: z.string() })

export type SentRequest = z.infer<typeof sentRequest>
