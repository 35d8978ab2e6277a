import { z } from 'zod/mini'

/** What someone can ask for who is not staff. */
export const areaName = z.enum(['blog', 'redirects', 'marketplace', 'products'], 'must be blog, redirects, marketplace or products')

export const accessRequest = z.object({ area: areaName })

/** One that has reached the owner. */
export const sentRequest = z.object({ area: areaName, requestedAt: z.string() })

export type SentRequest = z.infer<typeof sentRequest>
