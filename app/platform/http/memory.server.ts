import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { log } from '#app/platform/log.server.ts'

const CHECK_MS = 15_000
/** The first jobs after a start are done by then. */
const FIRST_CHECK_MS = 5000
/** Always returned by these, because a busy machine may still optimize code at the first one. */
const CHECKS_OF_START = 2
/** Relative to the least memory so far. Below that, returning memory is not worth its pause. */
const GROWN = 1.15
/** Share of the time in which the event loop was active. */
const IDLE = 0.1

/**
 * Collects garbage after the start and after each burst of work: the engine collects when it needs room, not when the work ends. The
 * variables in `scripts/start.json` have the C library return large blocks to the system at once, and its small ones are returned here.
 * Without this, an hour of abuse would occupy memory until the process ends. Returns the function that ends it.
 */
export function watchMemory(): () => void {
  let least = process.memoryUsage.rss()
  let load = performance.eventLoopUtilization()
  let wasBusy = false
  let checksOfStart = CHECKS_OF_START
  const look = () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const before = process.memoryUsage.rss()
    least = Math.min(least, before)
    wasBusy ||= utilization > IDLE
    const hasGrown = wasBusy && before >= least * GROWN
    if (utilization > IDLE || !(checksOfStart > 0 || hasGrown)) return
    wasBusy = false
    checksOfStart -= 1
    collectGarbage()
    returnFreePages()
    log.info({ before, after: process.memoryUsage.rss() }, 'memory was given back')
  }
  const first = setTimeout(look, FIRST_CHECK_MS).unref()
  const timer = setInterval(look, CHECK_MS).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}

let trim: ((keep: bigint) => unknown) | undefined

/** The C library keeps free pages between used ones. GNU's returns them on request, in a few milliseconds. */
function returnFreePages() {
  try {
    trim ??= process.getBuiltinModule('node:ffi').dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } }).functions.malloc_trim
    trim(0n)
  } catch {
    // Another C library, or a build of Node that calls none.
  }
}
