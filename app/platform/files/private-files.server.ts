import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'

const FOLDER = 0o700
const FILE = 0o600
const STICKY = 0o1000
/** The product's names in DATA_DIR. Other files there belong to the operator and stay as they are. */
const OURS =
  /^(pg\d+(\.initialising)?|files|keys|unfinished|cache|temporary|restored|restoring|replaced|staged-[\da-f-]{36}|lock\.sqlite(-\w+)?|operator\.json)$/
/** They hold many files. Once such a folder is closed, nothing in it can be reached. */
const LARGE = /^(pg\d+|files|cache)$/

/** Makes new files of this process readable by its user only. The embedded database would create files that everyone may write. */
export function keepNewFilesPrivate() {
  process.umask(0o077)
}

/** Closes DATA_DIR and the product's files in it to other users of the machine. An older version may have left them open. */
export function makePrivate(dataDir: string) {
  const { mode } = statSync(dataDir)
  if (mode & STICKY) throw new OperatorError(`DATA_DIR must be a folder of its own, and ${dataDir} is shared by all users of this machine.`)
  if (!close(dataDir, mode, FOLDER)) {
    throw new OperatorError(
      `Other users of this machine can read ${dataDir}, and its mode cannot be changed. Give the folder to the user that runs the server, or run chmod 700 on it.`,
    )
  }
  for (const name of readdirSync(dataDir).filter((each) => OURS.test(each))) {
    const place = path.join(dataDir, name)
    const found = statSync(place, { throwIfNoEntry: false })
    if (!found || (LARGE.test(name) && isClosed(found.mode, FOLDER))) continue
    closeTree(place, { mode: found.mode, isFolder: found.isDirectory() })
  }
}

/** A folder is closed after its content, so that a cut-off repair continues at the next start. */
function closeTree(place: string, { mode, isFolder }: { mode: number; isFolder: boolean }) {
  if (isFolder) {
    for (const entry of entriesOf(place)) {
      if (entry.isSymbolicLink()) continue
      const inside = path.join(place, entry.name)
      const found = lstatSync(inside, { throwIfNoEntry: false })
      if (found) closeTree(inside, { mode: found.mode, isFolder: found.isDirectory() })
    }
  }
  // A file of another user cannot be changed. The closed DATA_DIR protects it.
  close(place, mode, isFolder ? FOLDER : FILE)
}

/** Another command may just have removed it, and a folder of another user may be closed to us. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (!/^(ENOENT|EACCES)$/.test(propertyOf(error, 'code'))) throw error
    return []
  }
}

/** Returns whether other users are kept out afterwards. */
function close(place: string, mode: number, wanted: number): boolean {
  if (isClosed(mode, wanted)) return true
  try {
    chmodSync(place, wanted)
  } catch (error) {
    if (!/^(EPERM|EROFS|ENOTSUP|ENOENT)$/.test(propertyOf(error, 'code'))) throw error
    return (mode & 0o077) === 0
  }
  return true
}

function isClosed(mode: number, wanted: number): boolean {
  return (mode & 0o777) === wanted
}
