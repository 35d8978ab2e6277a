import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { diskFullSentence, hasRoom, isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { syncPath } from '#app/platform/files/durable-rename.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { makePrivate } from '#app/platform/files/private-files.server.ts'

/** The major version of the embedded database, part of the folder's name: another major cannot read the files. */
export const MAJOR = 'pg18'

/** Creates the folder of the installation when it is missing, and closes it to other users. Refuses a folder that is not writable. */
export function makeFolder(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    if (isDiskFull(error)) throw new OperatorError(diskFullSentence(dataDir))
    throw new OperatorError(`DATA_DIR must be a folder that this process may write to, and ${dataDir} is none.`)
  }
  makePrivate(dataDir)
}

/** The kernel releases the lock however the process dies. A PID file would mislead in containers. */
export function lockFolder(dataDir: string): () => void {
  const file = new DatabaseSync(path.join(dataDir, 'lock.sqlite'), { timeout: 0 })
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    file.close()
    if (!hasRoom(dataDir)) throw new OperatorError(diskFullSentence(dataDir))
    throw new OperatorError(`Another process is using ${dataDir}. Stop it first, or give this one a DATA_DIR of its own.`)
  }
  return () => {
    if (file.isOpen) file.close()
  }
}

const RESTORED = 'restored'
const REPLACED = 'replaced'

/** Marks a restored installation in a folder of DATA_DIR as complete, to replace the present one. */
export function acceptRestore(dataDir: string, folder: string) {
  syncTree(folder)
  renameSync(folder, path.join(dataDir, RESTORED))
  syncPath(dataDir)
}

/**
 * Moves an accepted restore into place and the old installation into `replaced`. After an interruption, the next start continues it.
 * The caller holds the lock.
 */
export function finishRestore(dataDir: string) {
  const restored = path.join(dataDir, RESTORED)
  if (!existsSync(restored)) return
  const replaced = path.join(dataDir, REPLACED)
  for (const part of readdirSync(restored)) {
    const place = path.join(dataDir, part)
    if (existsSync(place)) {
      mkdirSync(replaced, { recursive: true, mode: 0o700 })
      rmSync(path.join(replaced, part), { recursive: true, force: true })
      renameSync(place, path.join(replaced, part))
      syncPath(replaced)
    }
    renameSync(path.join(restored, part), place)
  }
  syncPath(dataDir)
  rmSync(restored, { recursive: true })
}

/** Makes the content of a folder outlive a power cut. */
export function syncTree(folder: string) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) syncTree(place)
    else if (entry.isFile()) syncPath(place)
  }
  syncPath(folder)
}
