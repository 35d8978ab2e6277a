import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { log } from '#app/platform/log.server.ts'

const CHECK_MS = 15_000
/** Relative to the memory at readiness. Below that, returning memory is not worth its pause. */
const GROWN = 1.15
/** Share of the time in which the event loop was active. */
const IDLE = 0.1

/**
 * Returns memory to the system after a burst of work. The engine collects garbage when it needs room, not when the work ends, and the C
 * library holds on to freed memory: without this, an hour of abuse would occupy it until the process ends. Returns the function that ends it.
 */
export function watchMemory(): () => void {
  let least = process.memoryUsage.rss()
  let load = performance.eventLoopUtilization()
  let wasBusy = false
  const look = async () => {
    const { utilization } = performance.eventLoopUtilization(load)
    load = performance.eventLoopUtilization()
    const before = process.memoryUsage.rss()
    least = Math.min(least, before)
    wasBusy ||= utilization > IDLE
    if (!wasBusy || utilization > IDLE || before < least * GROWN) return
    wasBusy = false
    await giveBack()
    log.info({ before, after: process.memoryUsage.rss() }, 'memory was given back')
  }
  const timer = setInterval(() => void look(), CHECK_MS).unref()
  return () => clearInterval(timer)
}

/** Collects garbage, and has glibc return free memory to the system. */
async function giveBack(): Promise<void> {
  collectGarbage()
  const trim = await (loaded ??= findTrim().catch(() => undefined))
  trim?.()
}

function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [])
}

let loaded: Promise<(() => void) | undefined> | undefined

async function findTrim(): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return undefined
  const { dlopen } = await import('node:ffi')
  const { functions } = dlopen(null, { malloc_trim: { arguments: ['u64'], return: 'i32' } })
  return () => void functions.malloc_trim(0n)
}
