import type { Role } from '#app/identity/role.ts'

/** The person behind a request, once the access token and its session have been checked. */
export type Viewer = {
  id: string
  email: string
  /** The one that counts now. */
  role: Role
  /** The role of staff whose rights rest until they set up two-factor authentication. */
  pausedRole?: Role | undefined
  /** Until when they have to. In ISO 8601. */
  factorDueAt?: string | undefined
  firstName: string | undefined
  avatarUrl: string | undefined
  sessionId: string
  aal: 'aal1' | 'aal2'
  /** A second step belongs to their sign-in. */
  hasFactor: boolean
  /** Their password is shorter than those of their role have to be by now. */
  hasShortPassword: boolean
  /** Signed in so recently that sensitive changes are open to them. */
  isFresh: boolean
}

/**
 * Who a request comes from. `resuming` is someone who was signed in and whose access token has run out: the browser can renew it,
 * and until then they get a visitor's pages. `halfway` is someone whose sign-in still lacks its second step: nothing is open to them but
 * that. `expiresAt`, in unix seconds, is when the access token runs out.
 */
export type Presence = { state: 'anonymous' } | { state: 'resuming' } | { state: 'halfway' | 'signedIn'; viewer: Viewer; expiresAt: number }

/** How a person is called in the menu. */
export function labelOf({ firstName, email }: Pick<Viewer, 'firstName' | 'email'>): string {
  return firstName ?? email
}
