import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

export type SmallDisk = {
  dataDir: string
  /** For the processes that write there. */
  settings: Record<string, string>
  fill: () => void
  free: () => void
  remove: () => void
}

const BYTES = 400 * 2 ** 20

/** A copy of an installation on a disk that can be filled. Only root can mount one; others get a disk that processes are told is full. */
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
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize))
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
    fill: () => writeFileSync(sign, ''),
    free: () => rmSync(sign, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
