import { readFileSync } from 'node:fs'

/** Fast enough that a process with two busy threads grows by a few dozen megabytes in between. */
const EVERY_MS = 100

/** Calls `exceeded` once when a process holds more bytes of memory than allowed. Systems without /proc rely on the engine's own limit. */
export function watchResidentMemory(pid: number | undefined, most: number, exceeded: () => void): { end: () => void } {
  const timer = setInterval(() => {
    if (residentBytes(pid) <= most) return
    clearInterval(timer)
    exceeded()
  }, EVERY_MS)
  return { end: () => clearInterval(timer) }
}

/** The memory that a process holds at the moment, in bytes; 0 if it is unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
