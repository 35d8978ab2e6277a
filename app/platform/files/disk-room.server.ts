import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { propertyOf } from '#app/platform/errors/property.ts'

/** No space, no quota, or a limit on the size of files; 53100 is PostgreSQL's code for them. */
const FULL = /^(ENOSPC|EDQUOT|EFBIG|53100)$/
/** The embedded database grows its journal in files of this size. */
const JOURNAL_BYTES = 16 * 2 ** 20
const PROBE_BYTES = 128 * 1024

/** For people outside, so it names no folder. */
export const DISK_FULL = 'Disk full: nothing can be saved until there is room again.'

/** Whether an error or its cause is a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (FULL.test(propertyOf(error, 'code'))) return true
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}

/** Whether a small file can be written in a folder now. Quotas show only on a write. */
export function hasRoom(folder: string): boolean {
  const probe = path.join(folder, `room-${process.pid}`)
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 })
    return true
  } catch (error) {
    return !isDiskFull(error)
  } finally {
    rmSync(probe, { force: true })
  }
}

/** Whether the embedded database can go on writing in a folder: its journal grows by one file at a time. */
export function hasRoomForJournal(folder: string): boolean {
  if (!hasRoom(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= JOURNAL_BYTES
}

export function diskFullSentence(...folders: string[]): string {
  return `Disk full: there is no room left for ${folders.join(' or ')}. Free some space, then try again.`
}
