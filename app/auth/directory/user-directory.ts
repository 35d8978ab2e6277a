import { z } from 'zod/mini'
import { accountRights, type Role, role } from '#app/auth/users/role.ts'

/** An account in the owner's list. Times are ISO 8601. */
export const listedUser = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  role,
  /** Given by the owner beside the role; they count for staff. */
  rights: z.array(z.enum(accountRights)),
  createdAt: z.string(),
  invitedAt: z.nullable(z.string()),
  confirmedAt: z.nullable(z.string()),
  lastSeenAt: z.nullable(z.string()),
  /** Set only while the ban lasts. */
  bannedUntil: z.nullable(z.string()),
  /** Whether an address is proven. Roles and access need that. */
  isProven: z.boolean(),
  /** The role that takes effect with that proof. */
  invitedRole: z.nullable(role),
})

/** One page, newest first. `nextCursor` requests the next one. */
export const userPage = z.object({ users: z.array(listedUser), nextCursor: z.nullable(z.string()) })

export const listedSession = z.object({
  id: z.string(),
  userAgent: z.nullable(z.string()),
  address: z.nullable(z.string()),
  createdAt: z.string(),
  lastSeenAt: z.string(),
})

export type ListedUser = z.infer<typeof listedUser>
export type UserPage = z.infer<typeof userPage>
export type ListedSession = z.infer<typeof listedSession>

export type UserSearch = { search?: string | undefined; role?: Role | undefined; cursor?: string | undefined; limit?: number | undefined }
