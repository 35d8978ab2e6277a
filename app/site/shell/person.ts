import type { CurrentUser } from '#app/account/session/current-user.ts'

/** The signed-in person's data in the header, sent to the browser. */
export type ShellPerson = Pick<CurrentUser, 'email' | 'firstName' | 'avatarUrl' | 'role'> & {
  /** The organization that the person works for. */
  organizationId: string
}

export function toPerson({ email, firstName, avatarUrl, role }: CurrentUser, { id: organizationId }: { id: string }): ShellPerson {
  return { email, firstName, avatarUrl, role, organizationId }
}
