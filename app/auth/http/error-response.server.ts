import type { FastifyError } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import { isOrphan, isUnavailable, isUnstorable } from '#app/platform/database/database-error.ts'
import { goneMeanwhile, outage, unstorable } from '#app/platform/http/errors.server.ts'
import { logBug } from '#app/platform/process/log.server.ts'
import { Stop, type StopKind } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { type RefusalCode, refusalOf } from '#app/auth/protocol/refusal.ts'

/** The version from which errors have `code` and `message`; clients that name none get the older shape. */
export const API_VERSION = '2024-01-01'

export type ErrorAnswer = { status: number; headers: Record<string, string>; body: Record<string, unknown> }

type Refusal = { status: number; code: string; sentence: string; reasons?: readonly string[]; retryAfter?: number; challenge?: unknown }

/** Converts an error to the protocol's response. The shape depends on the version that the client names. */
export function toErrorAnswer(error: unknown, requestContext: RequestContext): ErrorAnswer {
  if (error instanceof Stop && error.extra.oauth) {
    return { status: error.status, headers: {}, body: { error: error.extra.oauth, error_description: error.data } }
  }
  const { status, code, sentence, reasons, retryAfter, challenge } = toRefusal(error, requestContext)
  const modern = isModern(requestContext)
  const more = { ...(reasons && { weak_password: { reasons } }), ...(challenge !== undefined && { challenge }) }
  return {
    status,
    headers: {
      'x-sb-error-code': code,
      ...(modern && { 'x-supabase-api-version': API_VERSION }),
      ...(retryAfter && { 'retry-after': String(retryAfter) }),
    },
    body: modern
      ? { code, message: sentence, ...more }
      : { code: status, error_code: code, msg: sentence, ...(status >= 500 && { error_id: requestContext.id }), ...more },
  }
}

function isModern({ headers }: RequestContext): boolean {
  const version = headers['x-supabase-api-version']
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= API_VERSION
}

function toRefusal(error: unknown, requestContext: RequestContext): Refusal {
  if (error instanceof Stop) return ofStop(error)
  if (hasZodFastifySchemaValidationErrors(error)) return ofIssue(error)
  if (valueIn(error, 'code') === 'FST_ERR_HANDLER_TIMEOUT') return ofCode('request_timeout')
  const status = numberIn(error, 'statusCode')
  if (status === 413) return ofCode('request_entity_too_large')
  if (status && status >= 400 && status < 500) return ofCode('bad_json')
  // Includes a lock timeout: a 4xx would sign clients out, and it is not their fault.
  if (isUnavailable(error)) return { ...ofStop(outage(error, requestContext.id)), code: 'unexpected_failure' }
  if (isUnstorable(error)) return ofStop(unstorable())
  if (isOrphan(error)) return ofStop(goneMeanwhile(requestContext.id))
  logBug(isResponseSerializationError(error) ? error.cause : error, { request: requestContext.id })
  return { status: 500, code: 'unexpected_failure', sentence: 'Unexpected failure, please check server logs for more information' }
}

/** Maps the platform's own codes to codes of this protocol. */
const codes: Record<string, RefusalCode> = { too_many_requests: 'over_request_rate_limit', busy: 'unexpected_failure' }

/** Stops without a code come from the platform. */
const kindCodes: Partial<Record<StopKind, RefusalCode>> = { notFound: 'not_found', methodNotAllowed: 'method_not_allowed' }

function ofStop({ kind, status, data, extra }: Stop): Refusal {
  const { code = kindCodes[kind] ?? 'validation_failed', reasons, retryAfter, challenge } = extra
  return { status, code: codes[code] ?? code, sentence: data, ...(reasons && { reasons }), ...(retryAfter && { retryAfter }), challenge }
}

/** The protocol's servers cannot parse a field of the wrong JSON type, so they call the whole body bad JSON. */
function ofIssue({ validation, validationContext }: Pick<FastifyError, 'validation' | 'validationContext'>): Refusal {
  const issue = validation?.[0]
  if (validationContext !== 'body' || issue?.keyword !== 'invalid_type') return ofCode('validation_failed', issue?.message)
  return ofCode('bad_json', `Could not parse request body as JSON: ${issue.instancePath.slice(1)} ${issue.message}`)
}

function ofCode(code: RefusalCode, sentence?: string): Refusal {
  return ofStop(refusalOf(code, sentence ? { sentence } : {}))
}

function numberIn(error: unknown, key: string): number | undefined {
  const value = valueIn(error, key)
  return typeof value === 'number' ? value : undefined
}

function valueIn(error: unknown, key: string): unknown {
  return typeof error === 'object' && error !== null ? Object.entries(error).find(([name]) => name === key)?.[1] : undefined
}
