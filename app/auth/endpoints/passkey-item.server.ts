import { z } from 'zod'
import type { Key } from '#app/auth/mfa/key.server.ts'

/** A passkey in the auth protocol's shape, plus its transports and backup state for our own pages. */
export const passkeyItem = z.object({
  id: z.string(),
  friendly_name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().optional(),
  transports: z.array(z.string()),
  backed_up: z.boolean(),
})

export function toPasskeyItem({ id, friendlyName, createdAt, lastUsedAt, transports, backedUp }: Key): z.infer<typeof passkeyItem> {
  return {
    id,
    friendly_name: friendlyName,
    created_at: createdAt.toISOString(),
    ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
    transports,
    backed_up: backedUp,
  }
}
