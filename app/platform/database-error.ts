import { propertyOf } from './property.ts'

/** Whether the error is the database keeping one of its own rules; `constraint` says which. */
export function breaks(error: unknown, constraint?: string): boolean {
  const isTaken = ['23505', '23P01'].includes(propertyOf(error, 'code'))
  return isTaken && (constraint === undefined || constraint === propertyOf(error, 'constraint'))
}

/** Whether a row was to belong to another one that has gone since it was looked for: someone was signed out or deleted at the same moment. */
export function isOrphan(error: unknown): boolean {
  return propertyOf(error, 'code') === '23503'
}

/** Text with NUL, or with half a character inside JSON. */
const UNSTORABLE_CODES = /^(22021|22P05)$/
const BAD_JSON_TEXT = /^invalid input syntax for type json/

/** Whether the database refuses text that was sent to it, because no text of it could ever hold that. */
export function isUnstorable(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  return UNSTORABLE_CODES.test(code) || (code === '22P02' && BAD_JSON_TEXT.test(propertyOf(error, 'message')))
}

/** Cannot be connected to, has no room left, or is shutting down. */
const OUTAGE_CODES = /^(08...|53...|57P..|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOSPC|EDQUOT)$/
/** What the driver says without a code. */
const OUTAGE_WORDS = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether an error means that the database cannot serve just now, although nothing is wrong with the code or with what was asked. */
export function isOutage(error: unknown): boolean {
  return OUTAGE_CODES.test(propertyOf(error, 'code')) || OUTAGE_WORDS.test(propertyOf(error, 'message'))
}

/** A lock or an answer that did not come in time, a statement that was stopped, work that stood in each other's way once too often. */
const BUSY_CODES = /^(55P03|57014|25P03|40001|40P01)$/

/** Whether the database cannot serve, or could not in time: asked again in a moment, it may. */
export function isUnavailable(error: unknown): boolean {
  return isOutage(error) || BUSY_CODES.test(propertyOf(error, 'code'))
}

/** Not an error of a query but the end of the embedded engine: every later query would fail. */
export function isDeath(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof Error && error.message.startsWith('Aborted'))
}
