import { pino } from 'pino'
import { isDiskFull } from './disk-room.server.ts'
import { env } from './env.server.ts'

/**
 * The one log: JSON lines on standard output. What identifies a person (addresses, names, tokens, cookies, bodies) is never handed to it:
 * callers log ids and counts.
 */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { err: describeError },
})

/** Five letters or digits: an error of the database. */
const SQLSTATE = /^[\dA-Z]{5}$/

/**
 * What of an error leads to the code that must be mended. The database repeats in its messages, details and parameters what people have
 * typed, so of its errors only the code and the broken rule are kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = Object.fromEntries(Object.entries(error))
  const isOfDatabase = typeof code === 'string' && SQLSTATE.test(code)
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    code,
    ...(isDiskFull(error) && { reason: 'disk full' }),
    ...(isOfDatabase ? { constraint, table } : { message: error.message }),
    stack: frames?.join('\n'),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

/** What must be mended in the code: logged once, where it ends, with ids that help to find it. */
export function logBug(error: unknown, ids: Record<string, string | undefined>) {
  log.error({ ...ids, err: error }, 'bug')
}
