import { z } from 'zod/mini'
import { areaName } from './access-request.ts'

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
