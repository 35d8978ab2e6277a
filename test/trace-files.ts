import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'

/** `name`: a file was renamed to this place or made there. `sync`: a file or a folder was written to the disk. */
type Step = { what: 'name' | 'sync'; place: string }

/** Records, in order, file renames and syncs to disk during some work. */
export async function traceFiles(work: () => Promise<unknown>): Promise<Step[]> {
  const steps: Step[] = []
  const { openSync, renameSync, fsyncSync } = fs
  const { open, rename } = fs.promises
  const places = new Map<number, string>()
  const note = (what: Step['what'], place: unknown) => steps.push({ what, place: path.resolve(String(place)) })
  fs.openSync = (place, ...rest) => {
    const fd = openSync(place, ...rest)
    places.set(fd, String(place))
    return fd
  }
  fs.fsyncSync = (fd) => {
    fsyncSync(fd)
    note('sync', places.get(fd))
  }
  fs.renameSync = (from, to) => {
    renameSync(from, to)
    note('name', to)
  }
  fs.promises.rename = async (from, to) => {
    await rename(from, to)
    note('name', to)
  }
  fs.promises.open = async (place, ...rest) => {
    const isNew = !fs.existsSync(place)
    const handle = await open(place, ...rest)
    if (isNew) note('name', place)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      note('sync', place)
    }
    return handle
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(fs, { openSync, renameSync, fsyncSync })
    Object.assign(fs.promises, { open, rename })
    syncBuiltinESMExports()
  }
  return steps
}

/** Whether the folder was synced after the last rename in it. Without that, a power cut undoes the name. */
export function isNameDurable(steps: Step[], place: string): boolean {
  const named = steps.findLastIndex((step) => step.what === 'name' && step.place === place)
  return named >= 0 && steps.slice(named).some((step) => step.what === 'sync' && step.place === path.dirname(place))
}

/** Whether a file was synced under one name before its rename to the other. */
export function isContentDurable(steps: Step[], place: string, unfinished: RegExp): boolean {
  const named = steps.findLastIndex((step) => step.what === 'name' && step.place === place)
  return steps.slice(0, Math.max(named, 0)).some((step) => step.what === 'sync' && unfinished.test(step.place))
}
