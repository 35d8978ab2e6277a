import { z } from 'zod/mini'

export const role = z.enum(['customer', 'staff', 'owner'])

/** Customers see their own data, staff see the business, the owner also manages staff. */
export type Role = z.infer<typeof role>

/** Rights that the owner gives to an account of staff beside its role. */
export const accountRights = ['billing.write'] as const

export type AccountRight = (typeof accountRights)[number]

const roleHolder = z.object({ role })

/** Roles are in `app_metadata`, which users cannot write. The default is customer. */
export function roleOf(appMetadata: unknown): Role {
  const held = roleHolder.safeParse(appMetadata)
  return held.success ? held.data.role : 'customer'
}
