import type { AccountRight, Role } from '#app/auth/users/role.ts'

/** The user of an access token whose session still exists, for own and hosted accounts. `userMetadata` is what they wrote themselves. */
export type Principal = {
  /** `expired` tokens only identify the user. */
  state: 'valid' | 'expired'
  /** In unix seconds. */
  expiresAt: number
  id: string
  email: string
  /** The effective role. */
  role: Role
  /** Given by the owner; they count for staff. */
  rights: readonly AccountRight[]
  /** The role of staff that is paused until they set up two-factor authentication. */
  pausedRole?: Role | undefined
  /** The deadline for setting up two-factor authentication, in ISO 8601. */
  factorDueAt?: string | undefined
  userMetadata: Readonly<Record<string, unknown>>
  sessionId: string
  /** The provider with which this session began, if it was one. */
  signInProvider?: string | undefined
  aal: 'aal1' | 'aal2'
  hasFactor: boolean
  hasShortPassword: boolean
  /** Sensitive changes are allowed: the user signed in, or confirmed their identity, a short time ago. */
  isFresh: boolean
}
