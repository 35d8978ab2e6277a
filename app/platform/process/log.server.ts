import { pino } from 'pino'
import { Stop } from '#app/platform/errors/stop.ts'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { traceBug } from './tracing.server.ts'

const output = pino.destination({ dest: 1, sync: true })
// A full disk loses lines of the log, and must not end the server.
output.on('error', () => {})
let lines = ''
let isEnding = false

/** Writes the lines of one turn of the event loop together: a write wakes the reader of the log, which costs more than the line. */
const gathered = {
  write(line: string) {
    if (lines === '' && !isEnding) setImmediate(flush)
    lines += line
    if (isEnding) flush()
  },
}

function flush() {
  const written = lines
  lines = ''
  if (written) output.write(written)
}

process.on('exit', () => {
  isEnding = true
  flush()
})

/**
 * The one log: JSON lines on standard output. Personal data (addresses, names, tokens, cookies, bodies) is never passed to it:
 * callers log IDs and counts.
 */
export const log = pino(
  {
    level: env.LOG_LEVEL,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  },
  gathered,
)

type DescribedError = { type: string; message?: string; stack?: string | undefined; [other: string]: unknown }

/** Five capital letters or digits: an error code of the database. */
const SQLSTATE = /^[\dA-Z]{5}$/

/**
 * The parts of an error that lead to the faulty code. The database repeats user input in its messages, details and parameters,
 * so of its errors only the code and the violated constraint are logged.
 */
export function describeError(error: unknown): DescribedError {
  // Its sentence is for the person who asked, and may name them.
  if (error instanceof Stop) return { type: 'Stop', code: error.extra.code ?? error.kind }
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

/** Logs a bug, once, where it ends, with IDs that help to find it. */
export function logBug(error: unknown, ids: Record<string, string | undefined>) {
  log.error({ ...ids, err: error }, 'bug')
  traceBug(describeError(error))
}
