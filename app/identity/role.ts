import { z } from 'zod/mini'

export const role = z.enum(['customer', 'staff', 'owner'])

/** Customers see what is theirs, staff see the business, the owner also decides who is staff. */
export type Role = z.infer<typeof role>

const roleHolder = z.object({ role })

/** Roles live in `app_metadata`, which its user cannot write. Whoever was given none is a customer. */
export function roleOf(appMetadata: unknown): Role {
  const held = roleHolder.safeParse(appMetadata)
  return held.success ? held.data.role : 'customer'
}
