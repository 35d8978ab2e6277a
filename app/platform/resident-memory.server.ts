import { readFile } from 'node:fs/promises'

/** Fast enough that a process with two busy threads grows by a few dozen megabytes in between. */
const EVERY_MS = 100

/** Calls `exceeded` once when a process holds more bytes of memory than allowed. Systems without /proc rely on the engine's own limit. */
export function watchResidentMemory(pid: number | undefined, most: number, exceeded: () => void): { end: () => void } {
  const timer = setInterval(async () => {
    if ((await residentBytes(pid)) <= most) return
    clearInterval(timer)
    exceeded()
  }, EVERY_MS)
  return { end: () => clearInterval(timer) }
}

/** The memory that a process holds at the moment, in bytes; 0 if it is unknown. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? []
  return Number(kilobytes) * 1024
}
