import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/** Syncs a file or a folder to the disk, so that it outlives a power cut. The content of a folder is the names in it. */
export function syncPath(place: string) {
  const handle = openSync(place, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** `syncPath` without blocking the event loop. */
export async function syncFile(place: string): Promise<void> {
  await using handle = await open(place, 'r')
  await handle.sync()
}

/** Renames a finished file. After a power cut the name leads to the whole new file or to the old one. */
export async function renameDurably(unfinished: string, place: string): Promise<void> {
  await syncFile(unfinished)
  await rename(unfinished, place)
  await syncFile(path.dirname(place))
}
