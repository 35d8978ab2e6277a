import { z } from 'zod/mini'
import { role } from '#app/identity/role.ts'

/** Someone with an account, as its owner sees them in a list. Times are ISO 8601. */
export const listedUser = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  role,
  createdAt: z.string(),
  invitedAt: z.nullable(z.string()),
  confirmedAt: z.nullable(z.string()),
  lastSeenAt: z.nullable(z.string()),
  /** Only while it lasts. */
  bannedUntil: z.nullable(z.string()),
  /** Whether they have shown that an address of theirs is theirs: only then can they hold a role or be granted anything. */
  isProven: z.boolean(),
  /** The role that waits for that proof. */
  invitedRole: z.nullable(role),
})

/** One page of them, newest first; `nextCursor` asks for the one after it. */
export const userPage = z.object({ users: z.array(listedUser), nextCursor: z.nullable(z.string()) })

/** Where someone is signed in. */
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

export type UserSearch = { search?: string | undefined; cursor?: string | undefined; limit?: number | undefined }
