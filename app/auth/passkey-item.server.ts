import { z } from 'zod'
import type { Key } from '#app/passkey/key.server.ts'

/** A passkey as the auth protocol shows it, and what our own pages show beside it: how it is reached, and whether a service keeps a copy. */
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
