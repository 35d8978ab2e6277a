import { z } from 'zod/mini'
import { areaName } from '#app/access-request/access-request.ts'

export const REQUESTS = '/api/admin/access-requests'

/** Someone who has asked to work in a part that only staff have, and has no answer yet. */
export const pendingRequest = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  area: areaName,
  requestedAt: z.string(),
  /** Whether they have confirmed their address: only then can they become staff. */
  isProven: z.boolean(),
})

export type PendingRequest = z.infer<typeof pendingRequest>

export const decision = z.object({ decision: z.enum(['grant', 'decline'], 'must be grant or decline') })

export type Decision = z.infer<typeof decision>['decision']
