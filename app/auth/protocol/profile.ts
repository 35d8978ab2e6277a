/** The same limit as the protocol's servers. All of it is stored and returned with the user. */
export const MOST_PROFILE_BYTES = 64 * 1024

/**
 * The limit for an access token: it travels in a cookie, and browsers drop cookies over 4 kB.
 * The token holds it as base64, so bytes count, not characters.
 */
export const MOST_TOKEN_PROFILE_BYTES = 2000

export const PROFILE_TOO_LONG = `User metadata cannot be longer than ${MOST_PROFILE_BYTES} bytes`
export const APP_METADATA_TOO_LONG = `App metadata cannot be longer than ${MOST_TOKEN_PROFILE_BYTES} bytes`

export function profileBytes(profile: Readonly<Record<string, unknown>>): number {
  return new TextEncoder().encode(JSON.stringify(profile)).length
}
