import type { Viewer } from '#app/account/viewer.ts'

/** What the header shows of the person who is signed in; it travels to the browser. */
export type Person = Pick<Viewer, 'email' | 'firstName' | 'avatarUrl' | 'role'>

export function toPerson({ email, firstName, avatarUrl, role }: Viewer): Person {
  return { email, firstName, avatarUrl, role }
}
