import path from 'node:path'
import { isDeath } from '#app/platform/database/database-error.ts'
import { diskFullSentence, hasRoomForJournal, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'

/** Supervisors kill after ten seconds; a process that ends before that has logged the reason. */
const DEADLINE_MS = 9500

/** Ends the process with 0 on a signal, once running work is finished; with 1 when that takes too long or fails. */
export function endWhenAsked(end: (signal: string) => Promise<void>) {
  let ending = false
  const begin = (signal: string) => {
    // Ctrl+C arrives twice: from the terminal, and from npm.
    if (ending) return
    ending = true
    log.info({ signal }, 'ending')
    setTimeout(() => giveUp(new Error('Ending took too long.')), DEADLINE_MS).unref()
    end(signal).then(() => process.exit(0), giveUp)
  }
  process.on('SIGTERM', begin).on('SIGINT', begin)
}

/** An uncaught bug leaves the process in an unknown state: it is logged, and a supervisor starts a new process. */
export function endWhenBroken() {
  process.on('uncaughtException', giveUp)
}

/** Says why the process ends: one sentence when the operator can act on it, else the whole error. */
export function giveUp(error: unknown) {
  const sentence = error instanceof OperatorError ? error.message : (sentenceOfListening(error) ?? sentenceOfDisk(error))
  if (sentence) process.stderr.write(`${sentence}\n`)
  if (!sentence || isDeath(error)) log.fatal({ err: error }, 'cannot go on')
  process.exit(1)
}

/** The embedded database dies without a reason when its journal finds no room. */
export function sentenceOfDisk(error: unknown): string | undefined {
  const dataDir = path.resolve(env.DATA_DIR)
  const isFull = isDiskFull(error) || (isDeath(error) && !hasRoomForJournal(dataDir))
  return isFull ? diskFullSentence(dataDir) : undefined
}

/** Why the server cannot listen on the configured address. */
function sentenceOfListening(error: unknown): string | undefined {
  const code = propertyOf(error, 'code')
  if (code === 'EADDRINUSE') return `Port ${env.PORT} is taken: set PORT to another one.`
  if (code === 'EACCES' && propertyOf(error, 'syscall') === 'listen')
    return `Port ${env.PORT} may not be used by this user: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || propertyOf(error, 'syscall') === 'getaddrinfo')
    return `${env.HOST} is no address of this machine: set HOST to one, such as 127.0.0.1 or 0.0.0.0.`
  return undefined
}
