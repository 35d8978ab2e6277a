import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lockFolder } from './data-folder.server.ts'

/** Contains a folder for each running command. */
const TEMPORARY = 'temporary'
const LOCK = 'lock.sqlite'
/** Names a file outside DATA_DIR that the command has not finished. */
const OUTSIDE = 'outside'
/** A folder without a lock was just made, or its command died before it could take the lock. */
const YOUNG_MS = 60_000
/** Left by commands of older versions: a folder of this name with nothing but these entries. */
const OLDER = /^(backup|moving)-[A-Za-z\d]{6}$/
const OLDER_ENTRY = /^(tables|files|keys|manifest\.json|backup\.tar\.gz(\.unfinished)?|checking-[A-Za-z\d]{6})$/
const HALF_WRITTEN_KEY = /\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A folder for one command. `end` removes it. */
export type TemporaryFolder = { folder: string; end: () => void }

/**
 * Makes a folder in DATA_DIR for one command. The kernel releases its lock when the process dies, so that the next start or
 * command can remove what a killed one left. `outside` is an unfinished file elsewhere that is removed with it.
 */
export function makeTemporary(dataDir: string, outside?: string): TemporaryFolder {
  clearTemporary(dataDir)
  const folder = path.join(dataDir, TEMPORARY, randomUUID())
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(folder)
  if (outside) writeFileSync(path.join(folder, OUTSIDE), outside, { mode: 0o600 })
  return {
    folder,
    end() {
      rmSync(folder, { recursive: true, force: true })
      unlock()
    },
  }
}

/** The folder of a running command. `name` comes from another process. */
export function findTemporary(dataDir: string, name: string): string | undefined {
  const folder = path.join(dataDir, TEMPORARY, name)
  return /^[\da-f-]{36}$/.test(name) && existsSync(folder) ? folder : undefined
}

/** Removes the folders of killed commands. Those of running commands stay. */
export function clearTemporary(dataDir: string) {
  const temporary = path.join(dataDir, TEMPORARY)
  for (const name of namesIn(temporary)) clearFolder(path.join(temporary, name))
  for (const name of namesIn(dataDir).filter((each) => OLDER.test(each))) {
    const folder = path.join(dataDir, name)
    if (isOld(folder) && namesIn(folder).every((entry) => OLDER_ENTRY.test(entry))) rmSync(folder, { recursive: true, force: true })
  }
  const keys = path.join(dataDir, 'keys')
  for (const name of namesIn(keys).filter((each) => HALF_WRITTEN_KEY.test(each))) {
    if (isOld(path.join(keys, name))) rmSync(path.join(keys, name), { force: true })
  }
}

/** Removes the files that a killed restore unpacked. The caller holds the lock of DATA_DIR, so no restore runs. */
export function clearRestore(dataDir: string) {
  rmSync(path.join(dataDir, 'restoring'), { recursive: true, force: true })
}

/** `clearRestore` for a database on a server, where only a restore takes the lock. */
export function clearAbandonedRestore(dataDir: string) {
  const lock = path.join(dataDir, LOCK)
  if (existsSync(path.join(dataDir, 'restoring')) && !(existsSync(lock) && isLocked(lock))) clearRestore(dataDir)
}

function clearFolder(folder: string) {
  if (isHeld(folder)) return
  const outside = path.join(folder, OUTSIDE)
  if (existsSync(outside)) rmSync(readFileSync(outside, 'utf8'), { force: true })
  rmSync(folder, { recursive: true, force: true })
}

function isHeld(folder: string): boolean {
  const lock = path.join(folder, LOCK)
  return existsSync(lock) ? isLocked(lock) : !isOld(folder)
}

function isLocked(place: string): boolean {
  const lock = new DatabaseSync(place, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    lock.close()
  }
}

function isOld(place: string): boolean {
  const found = statSync(place, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > YOUNG_MS
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
