import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { log } from '#app/platform/log.server.ts'

const CHECK_MS = 15_000
/** The first jobs after a start are done by then. */
const FIRST_CHECK_MS = 5000
/**
 * These checks return memory even if it has not grown: during the first, V8 may still optimize code on a busy machine, and it forgets the code of functions
 * that only a start runs after several collections.
 */
const CHECKS_OF_START = 3
/** Relative to the least memory so far. Below that, returning memory is not worth its pause. */
const GROWN = 1.15
/** Share of the time in which the event loop was active. */
const IDLE = 0.1

/**
 * Collects garbage and returns free memory to the system, after the start and after each burst of work. V8 collects when it needs room, and glibc
 * keeps free pages: the variables in `scripts/start.json` make it return large blocks, `malloc_trim` the small ones. Without both, the memory of an
 * hour of abuse would never be returned. Returns the function that stops the checks.
 */
export function watchMemory(): () => void {
  let least = residentBytes() ?? Infinity
  let load = performance.eventLoopUtilization()
  let wasBusy = false
  let checksOfStart = CHECKS_OF_START
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const before = residentBytes()
    if (before === undefined) return
    least = Math.min(least, before)
    wasBusy ||= utilization > IDLE
    const hasGrown = wasBusy && before >= least * GROWN
    if (utilization > IDLE || !(checksOfStart > 0 || hasGrown)) return
    wasBusy = false
    checksOfStart -= 1
    collectGarbage()
    returnFreePages()
    log.info({ before, after: residentBytes() }, 'memory was given back')
  }
  const first = setTimeout(look, FIRST_CHECK_MS).unref()
  const timer = setInterval(look, CHECK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

/** The system tells it by a file, which cannot be opened while the process has too many open files. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  // V8 writes its flags into a code cache, and refuses one with other flags.
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}

let trim: ((keep: bigint) => unknown) | undefined

/** Has glibc return the free pages between used ones, which takes a few milliseconds. Returns whether it could be asked. */
export function returnFreePages(): boolean {
  try {
    trim ??= process.getBuiltinModule('node:ffi').dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } }).functions.malloc_trim
    trim(0n)
    return true
  } catch {
    // Not glibc, or a Node without FFI.
    return false
  }
}
