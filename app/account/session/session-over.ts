import { ApiError } from '#app/platform/browser/api.ts'
import { toProblem } from '#app/platform/errors/problem.ts'
import type { Failure } from './auth.ts'

/** The service's errors for an ended session: signed out elsewhere, deleted, or suspended. */
const codes = new Set(['session_not_found', 'user_not_found', 'user_banned', 'bad_jwt', 'no_authorization', 'refresh_token_not_found'])

export function isSessionOver({ code }: Failure): boolean {
  return code !== undefined && codes.has(code)
}

/**
 * Throws the errors that the auth client returns as values, as those of our own API: an ended session, or a refusal with the field that it
 * concerns.
 */
export async function orThrow(
  work: Promise<{ failure?: Failure }>,
  fieldOf?: (code: string | undefined) => string | undefined,
): Promise<void> {
  const { failure } = await work
  if (!failure) return
  const { code, message } = failure
  if (isSessionOver(failure)) throw new ApiError(401, message)
  const field = fieldOf?.(code)
  throw new ApiError(
    422,
    message,
    toProblem(422, message, message, { ...(code && { code }), ...(field && { errors: { [field]: message } }) }),
  )
}
