import type { CurrentUser } from '#app/account/session/current-user.ts'

/** The signed-in person's data in the header, sent to the browser. */
export type FounderData = Pick<CurrentUser, 'email' | 'firstName' | 'avatarUrl' | 'role'>

export function toPerson({ email, firstName, avatarUrl, role }: CurrentUser): FounderData {
  return { email, firstName, avatarUrl, role }
}
