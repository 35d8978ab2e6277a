import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import { isOrphan, isUnavailable, isUnstorable } from '#app/platform/database/database-error.ts'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { log, logBug } from '#app/platform/process/log.server.ts'
import { PROBLEM_TYPE, toProblem } from '#app/platform/errors/problem.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { Stop, type StopKind } from '#app/platform/errors/stop.ts'

/** Converts any thrown error to the Stop that ends the request. A bug is logged here, once, and its details stay here. */
export function toStop(error: unknown, request: FastifyRequest): Stop {
  if (error instanceof Stop) return error
  if (hasZodFastifySchemaValidationErrors(error)) return refusedFields(error.validation)
  const refusal = refusalOf(error)
  if (refusal) return refusal
  if (isUnavailable(error)) return outage(error, request.id)
  if (isUnstorable(error)) return unstorable()
  if (isOrphan(error)) return goneMeanwhile(request.id)
  const cause = isResponseSerializationError(error) ? error.cause : error
  logBug(cause, { request: request.id, route: request.routeOptions.url })
  return new Stop('bug', 'Something went wrong on our side. We have been told.')
}

/** Ends a request whose database cannot serve at the moment. The operator has to know, the code is right. */
export function outage(error: unknown, request: string): Stop {
  if (isDiskFull(error)) {
    log.warn({ request }, 'disk full: the database takes no writes')
    return new Stop('unavailable', 'We cannot save anything just now. Please try again in a moment.', { retryAfter: 5 })
  }
  log.warn({ request, code: propertyOf(error, 'code') || undefined }, 'the database cannot serve')
  return unreachable()
}

/** Ends a request whose subject was deleted at the same moment. That is not an error of anyone, and nothing partial is left. */
export function goneMeanwhile(request: string): Stop {
  log.warn({ request }, 'the subject of a request was deleted meanwhile')
  return new Stop('conflict', 'This no longer exists. Reload and try again.', { code: 'conflict' })
}

/** Ends a request with text that the database cannot hold; none of it was stored. */
export function unstorable(): Stop {
  return new Stop('badRequest', 'This contains a character that cannot be stored. Remove control characters and try again.')
}

export function unreachable(): Stop {
  return new Stop('unavailable', 'We cannot reach our data just now. Please try again in a moment.', { retryAfter: 5 })
}

/** Sends the problem that ends a request to the API. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, statusText, data, extra } = toStop(error, request)
  const { retryAfter, ...members } = extra
  if (retryAfter) reply.header('retry-after', retryAfter)
  // A browser would save the problem in place of a file that could not be read.
  reply.removeHeader('content-disposition')
  return reply
    .status(status)
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send(toProblem(status, statusText, data, members))
}

/** Ends an action without a page. Otherwise the framework's own words would reach the person. */
export function throwProblem(error: unknown): never {
  if (!(error instanceof Stop)) throw error
  const { status, statusText, data } = error
  const headers = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' }
  throw new Response(JSON.stringify(toProblem(status, statusText, data)), { status, headers })
}

function refusedFields(issues: readonly { instancePath: string; message?: string | undefined }[]): Stop {
  const errors: Record<string, string> = {}
  for (const { instancePath, message = 'Not accepted' } of issues) {
    errors[instancePath.split('/').filter(Boolean).join('.') || 'body'] ??= message
  }
  return new Stop('unprocessable', Object.values(errors)[0] ?? 'Some of it cannot be accepted.', { code: 'validation_failed', errors })
}

export const EMPTY_BODY = 'The body is empty, JSON is needed.'

/** Fastify's own refusals, in words for the person who sent the request. */
const refusals: Record<string, [kind: StopKind, sentence: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['tooLarge', 'This request is too large. Send less data.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unknownMedia', 'Send JSON with the header Content-Type: application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['badRequest', EMPTY_BODY],
  FST_ERR_CTP_INVALID_JSON_BODY: ['badRequest', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['badRequest', 'This address is not written correctly.'],
  FST_ERR_MAX_PARAM_LENGTH: ['notFound', 'There is nothing at this address.'],
}

function refusalOf(error: unknown): Stop | undefined {
  if (!(error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return new Stop(...(refusals[code] ?? ['badRequest', 'This request cannot be understood.']))
}
