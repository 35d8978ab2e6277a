import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

export type SmallDisk = {
  dataDir: string
  /** The environment of the processes that write there. */
  settings: Record<string, string>
  /** Leaves this number of bytes free. */
  fill: (left?: number) => void
  free: () => void
  remove: () => void
}

const BYTES = 400 * 2 ** 20

/** A copy of an installation on a disk that can be filled. Only root can mount one; other users get a simulated full disk. */
export function makeSmallDisk(installation: string): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-small-'))
  const dataDir = path.join(folder, 'data')
  const disk = process.getuid?.() === 0 && !process.env.PRETEND_FULL_DISK ? mounted(folder) : pretended(folder, dataDir)
  cpSync(installation, dataDir, { recursive: true })
  return { dataDir, ...disk }
}

function mounted(folder: string) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${BYTES}`, 'tmpfs', folder])
  const ballast = path.join(folder, 'ballast')
  return {
    settings: {},
    fill(left = 0) {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize - left))
      } catch (error) {
        // The product took some of the room meanwhile, so the disk is full.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function pretended(folder: string, dataDir: string) {
  const sign = path.join(folder, 'full')
  return {
    settings: {
      NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('test/e2e/full-disk.mjs')).href}`,
      FULL_DISK: dataDir,
      FULL_DISK_SIGN: sign,
    },
    fill: (left = 0) => writeFileSync(sign, String(left)),
    free: () => rmSync(sign, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
