import { z } from 'zod/mini'

export const role = z.enum(['customer', 'staff', 'owner'])

/** Customers see their own data, staff see the business, the owner also manages staff. */
export type Role = z.infer<typeof role>

const roleHolder = z.object({ role })

/** Roles are in `app_metadata`, which users cannot write. The default is customer. */
export function roleOf(appMetadata: unknown): Role {
  const held = roleHolder.safeParse(appMetadata)
  return held.success ? held.data.role : 'customer'
}
