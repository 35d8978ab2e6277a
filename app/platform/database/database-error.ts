import { propertyOf } from '#app/platform/errors/property.ts'

/** Whether a unique or exclusion constraint was violated; `constraint` narrows it to one. */
export function breaks(error: unknown, constraint?: string): boolean {
  const isTaken = ['23505', '23P01'].includes(propertyOf(error, 'code'))
  return isTaken && (constraint === undefined || constraint === propertyOf(error, 'constraint'))
}

/** Whether the referenced row is gone since it was read: someone was signed out or deleted at the same moment. */
export function isOrphan(error: unknown): boolean {
  return propertyOf(error, 'code') === '23503'
}

/** Text with NUL, or with half a surrogate pair inside JSON. */
const UNSTORABLE_CODES = /^(22021|22P05)$/
const BAD_JSON_TEXT = /^invalid input syntax for type json/

/** Whether the database refused text that no text column could store. */
export function isUnstorable(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  return UNSTORABLE_CODES.test(code) || (code === '22P02' && BAD_JSON_TEXT.test(propertyOf(error, 'message')))
}

/** Cannot connect, no room left, or shutting down. */
const OUTAGE_CODES = /^(08...|53...|57P..|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOSPC|EDQUOT)$/
/** The driver's errors without a code. */
const OUTAGE_WORDS = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether the database cannot serve at the moment, with no fault in the code or the request. */
export function isOutage(error: unknown): boolean {
  return OUTAGE_CODES.test(propertyOf(error, 'code')) || OUTAGE_WORDS.test(propertyOf(error, 'message'))
}

/** A lock or a response that did not come in time, a canceled statement, a serialization failure, a deadlock. */
const BUSY_CODES = /^(55P03|57014|25P03|40001|40P01)$/

/** Whether the database cannot serve, or could not in time. A retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  return isOutage(error) || BUSY_CODES.test(propertyOf(error, 'code'))
}

/** Not an error of a query but the end of the embedded engine: every later query would fail. */
export function isDeath(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.message.startsWith('Aborted'))
}
