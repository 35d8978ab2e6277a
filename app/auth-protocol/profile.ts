/**
 * What people say about themselves is kept in the access token, which travels in a cookie, and browsers drop cookies of more than 4 kB. The
 * token holds it as base64, so its bytes count, not its characters.
 */
export const MOST_PROFILE_BYTES = 2000

export const PROFILE_TOO_LONG = `User metadata cannot be longer than ${MOST_PROFILE_BYTES} bytes`

export function profileBytes(profile: Readonly<Record<string, unknown>>): number {
  return new TextEncoder().encode(JSON.stringify(profile)).length
}
