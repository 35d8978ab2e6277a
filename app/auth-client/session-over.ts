import { ApiError } from '#app/platform/api.ts'
import type { Failure } from './auth.ts'

/** What the service says to whom it no longer knows: signed out in another tab or from another device, deleted, or shut out. */
const codes = new Set(['session_not_found', 'user_not_found', 'user_banned', 'bad_jwt', 'no_authorization', 'refresh_token_not_found'])

export function isSessionOver({ code }: Failure): boolean {
  return code !== undefined && codes.has(code)
}

/** What the auth client answers as a value is an exception to those who wait for a success; the end of a session is the one that our own API has for it. */
export async function orThrow(work: Promise<{ failure?: Failure }>): Promise<void> {
  const { failure } = await work
  if (failure) throw errorOf(failure)
}

export function errorOf(failure: Failure): Error {
  return isSessionOver(failure) ? new ApiError(401, failure.message) : new Error(failure.message)
}
