import { z } from 'zod/mini'

/** The areas that a customer can request. */
export const areaName = z.enum(['blog', 'redirects', 'marketplace', 'products'], 'must be blog, redirects, marketplace or products')

export const accessRequest = z.object({ area: areaName })

/** A request that was sent to the owner. */
export const sentRequest = z.object({ area: areaName, requestedAt: z.string() })

export type SentRequest = z.infer<typeof sentRequest>

export const REQUESTS = '/api/admin/access-requests'

/** A pending request for a staff area. */
export const pendingRequest = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  area: areaName,
  requestedAt: z.string(),
  /** Only people with a confirmed address can become staff. */
  isProven: z.boolean(),
})

export type PendingRequest = z.infer<typeof pendingRequest>

export const decision = z.object({ decision: z.enum(['grant', 'decline'], 'must be grant or decline') })

export type Decision = z.infer<typeof decision>['decision']
