import { constants, statfsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { diskFullSentence } from '#app/platform/files/disk-room.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { propertyOf } from '#app/platform/errors/property.ts'

const JOURNAL = 'pg_wal'
/** The running site needs room for its own writes. */
const RESERVE_BYTES = 64 * 2 ** 20

/**
 * Copies the files of an embedded database that is in use. Its journal comes last: the engine writes a change there first, so the copy
 * opens like a database after a power cut and holds everything up to one moment. That holds only without a checkpoint meanwhile,
 * because a checkpoint removes the beginning of the journal. The caller holds checkpoints back.
 */
export async function copyFiles(from: string, to: string, signal: AbortSignal): Promise<void> {
  await refuseWithoutRoom(from, path.dirname(to))
  await copyTree(from, to, signal, (name) => name !== JOURNAL)
  await copyTree(path.join(from, JOURNAL), path.join(to, JOURNAL), signal)
}

async function copyTree(from: string, to: string, signal: AbortSignal, isWanted: (name: string) => boolean = () => true): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal.throwIfAborted()
    if (!isWanted(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target, signal)
    else await copyFile(source, target, constants.COPYFILE_FICLONE).catch(ignoreMissing)
  }
}

async function refuseWithoutRoom(from: string, folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let bytes = RESERVE_BYTES
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await lstat(path.join(entry.parentPath, entry.name)).catch(ignoreMissing))?.size ?? 0
  }
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes) throw new OperatorError(diskFullSentence(folder))
}

/** A dropped table takes its file with it. The journal records that too. */
function ignoreMissing(error: unknown): undefined {
  if (propertyOf(error, 'code') !== 'ENOENT') throw error
  return undefined
}
