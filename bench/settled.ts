import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LAST_DATASET = '/data-marketplace/reference-rates'

/** The sitemap of a new installation once its first posts and datasets exist. They are generated after the start, and no measurement runs beside that work. */
export async function settledMap(origin: string): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const map = await (await fetch(`${origin}/sitemap.xml`)).text()
    if (map.includes('/blog/') && map.includes(LAST_DATASET)) return map
    await sleep(200)
  }
  throw new Error('The first posts and datasets were not made.')
}

/** Seconds of processor time that a process has used, in steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return (Number(user) + Number(system)) / 100
}

/** The same of the threads that run, in steps of a nanosecond: for comparisons of short work. */
export function exactCpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9
}

/** The same of a process and of each of its children, by id. */
export function familyCpuSeconds(parent: number): ReadonlyMap<number, number> {
  const isOfFamily = (pid: number) => pid === parent || parentOf(pid) === parent
  const family = readdirSync('/proc').map(Number).filter(isOfFamily)
  return new Map(family.map((pid) => [pid, exactCpuSeconds(pid)]))
}

/** Undefined for a process that has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  return Number(readFileSync(file, 'utf8').split(') ')[1]?.split(' ')[1])
}

/** Returns once a process has used nearly no processor time for two seconds: its work in the background after the start has ended. */
export async function untilIdle(pid: number) {
  for (let tries = 0; tries < 60; tries += 1) {
    const before = cpuSeconds(pid)
    await sleep(2000)
    if (cpuSeconds(pid) - before <= 0.04) return
  }
  throw new Error('The server did not become idle.')
}
