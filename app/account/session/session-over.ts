import { ApiError } from '#app/platform/browser/api.ts'
import type { Failure } from './auth.ts'

/** The service's errors for an ended session: signed out elsewhere, deleted, or suspended. */
const codes = new Set(['session_not_found', 'user_not_found', 'user_banned', 'bad_jwt', 'no_authorization', 'refresh_token_not_found'])

export function isSessionOver({ code }: Failure): boolean {
  return code !== undefined && codes.has(code)
}

/** Throws the errors that the auth client returns as values; an ended session becomes our own API's error for it. */
export async function orThrow(work: Promise<{ failure?: Failure }>): Promise<void> {
  const { failure } = await work
  if (failure) throw errorOf(failure)
}

export function errorOf(failure: Failure): Error {
  return isSessionOver(failure) ? new ApiError(401, failure.message) : new Error(failure.message)
}
