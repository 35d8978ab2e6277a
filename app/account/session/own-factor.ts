import { z } from 'zod/mini'

/** The API path; also the query key to invalidate after a change. */
export const FACTORS = '/api/account/factors'

/** A verified second factor of the signed-in person. */
export const ownFactor = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  kind: z.enum(['app', 'phone', 'key']),
  /** With plus; null unless it is a phone. */
  phone: z.nullable(z.string()),
})

export type OwnFactor = z.infer<typeof ownFactor>
