import type { AccountRight, Role } from '#app/auth/users/role.ts'

/** The person behind a request, once the access token and its session have been checked. */
export type CurrentUser = {
  id: string
  email: string
  /** The effective role. */
  role: Role
  /** Given by the owner; they count for staff. */
  rights: readonly AccountRight[]
  /** The staff role whose rights are paused until two-factor authentication is set up. */
  pausedRole?: Role | undefined
  /** The deadline to set it up, in ISO 8601. */
  factorDueAt?: string | undefined
  firstName: string | undefined
  avatarUrl: string | undefined
  sessionId: string
  /** The provider with which this session began, if it was one. */
  signInProvider?: string | undefined
  aal: 'aal1' | 'aal2'
  /** The sign-in needs a second factor. */
  hasFactor: boolean
  /** The password is shorter than the minimum for the role. */
  hasShortPassword: boolean
  /** Signed in recently enough for sensitive changes. */
  isFresh: boolean
}

/**
 * The sender of a request. `expired`: signed in, but the access token has expired; the browser can renew it, and until then gets a
 * visitor's pages. `needsMfa`: the second factor is still pending, and only that is allowed. `expiresAt`, in unix seconds, is the access
 * token's expiry.
 */
export type AuthState =
  | { state: 'anonymous' }
  | { state: 'expired' }
  | { state: 'needsMfa' | 'signedIn'; currentUser: CurrentUser; expiresAt: number }

/** The person's name in the menu. */
export function labelOf({ firstName, email }: Pick<CurrentUser, 'firstName' | 'email'>): string {
  return firstName ?? email
}
