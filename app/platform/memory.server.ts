import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { log } from './log.server.ts'

const CHECK_MS = 15_000
/** Of what the process held when it was ready. Below that, giving memory back is not worth its pause. */
const GROWN = 1.15
/** Share of the time in which the event loop had work. */
const IDLE = 0.1

/**
 * Gives memory back to the system once a burst of work is over. The engine collects garbage when it needs room, not when the work ends, and the C library
 * keeps what was freed: without this, an hour of abuse would hold its memory for as long as the process lives. Returns the function that ends it.
 */
export async function watchMemory(): Promise<() => void> {
  const giveBack = await memoryReturn()
  let least = process.memoryUsage.rss()
  let load = performance.eventLoopUtilization()
  let wasBusy = false
  const timer = setInterval(() => {
    const since = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const held = process.memoryUsage.rss()
    if (since.utilization > IDLE) wasBusy = true
    else if (wasBusy && held > least * GROWN) {
      wasBusy = false
      giveBack()
      log.info({ before: held, after: process.memoryUsage.rss() }, 'memory was given back')
    }
    least = Math.min(least, process.memoryUsage.rss())
  }, CHECK_MS).unref()
  return () => clearInterval(timer)
}

/** Collects garbage, and has the C library hand what is free to the system, where it is the GNU one. */
async function memoryReturn(): Promise<() => void> {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const trim = await findTrim().catch(() => undefined)
  return () => {
    if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
    trim?.()
  }
}

async function findTrim(): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined
  const { dlopen } = await import('node:ffi')
  const { functions } = dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
  return () => void functions.malloc_trim(0n)
}
