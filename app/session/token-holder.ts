import type { Role } from '#app/identity/role.ts'

/** Who holds an access token that was given for a session that lives, wherever accounts are kept. What they say of themselves is in `userMetadata`. */
export type TokenHolder = {
  /** `expired` ones tell who was here, no more. */
  state: 'valid' | 'expired'
  /** In unix seconds. */
  expiresAt: number
  id: string
  email: string
  /** The one that counts now. */
  role: Role
  /** The role of staff whose rights rest until they set up two-factor authentication. */
  pausedRole?: Role | undefined
  /** Until when they have to. In ISO 8601. */
  factorDueAt?: string | undefined
  userMetadata: Readonly<Record<string, unknown>>
  sessionId: string
  aal: 'aal1' | 'aal2'
  hasFactor: boolean
  hasShortPassword: boolean
  /** They have signed in, or confirmed who they are, so recently that sensitive changes are open to them. */
  isFresh: boolean
}
