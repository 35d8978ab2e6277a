// The time until the product is ready, from an empty folder and from an existing installation, and its memory then.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds, settledMap } from './settled.ts'

const ROUNDS = 5
const IDLE_MS = 30_000
const PORT = 4390

type Start = { seconds: number; cpuSeconds: number }

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-start-'))
const dataDir = path.join(folder, 'data')

try {
  const fresh = await measureStart()
  await settledMap(`http://127.0.0.1:${PORT}`)
  await end(fresh.child)
  const again: Start[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ...start } = await measureStart()
    again.push(start)
    await end(child)
  }
  const { child } = await measureStart()
  await sleep(IDLE_MS)
  const memory = memoryOf(child)
  const metrics = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text()
  await end(child)

  const byNpm = await measureNpmStart()

  const median = again.toSorted((one, other) => one.seconds - other.seconds)[Math.floor(ROUNDS / 2)] ?? fresh
  print('fresh folder to ready', fresh)
  print('restart to ready, median', median)
  process.stdout.write(`second npm start to ready: ${byNpm.seconds.toFixed(2)} s, ${byNpm.rebuilt ? 'with a build' : 'nothing built'}\n`)
  process.stdout.write(`resident after ${IDLE_MS / 1000} idle seconds: ${memory.total} MB\n`)
  process.stdout.write(
    `  ${Object.entries(memory)
      .map(([part, size]) => `${part} ${size}`)
      .join(', ')} MB; ${heapOf(metrics)}\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureStart(): Promise<Start & { child: ChildProcess }> {
  const begun = performance.now()
  // As `npm start`, without its checks.
  const env = { NODE_ENV: 'production', NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', DATA_DIR: dataDir, PORT: String(PORT) }
  const child = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  })
  while (!(await isReady())) await sleep(10)
  return { child, seconds: (performance.now() - begun) / 1000, cpuSeconds: cpuSeconds(child.pid ?? 0) }
}

/** From the command to the first response, with everything installed and built; includes npm and all checks. */
async function measureNpmStart(): Promise<{ seconds: number; rebuilt: boolean }> {
  const builtAt = () => statSync('build/stamp').mtimeMs
  const before = builtAt()
  const begun = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(PORT) }
  // A separate process group, because npm does not pass on every signal.
  const child = spawn('npm', ['start'], { stdio: 'ignore', env, detached: true })
  while (!(await isReady())) await sleep(10)
  const seconds = (performance.now() - begun) / 1000
  const gone = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await gone
  return { seconds, rebuilt: builtAt() !== before }
}

function isReady(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function end(child: ChildProcess) {
  child.kill()
  await once(child, 'exit')
}

/** In megabytes, from the kernel: private pages, shared file pages, and their sum. */
function memoryOf({ pid }: ChildProcess) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const size = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { total: size('VmRSS'), anonymous: size('RssAnon'), files: size('RssFile'), peak: size('VmHWM') }
}

function heapOf(metrics: string): string {
  const megabytes = (name: string) => Math.round(Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]) / 1024 / 1024)
  return `JavaScript ${megabytes('nodejs_heap_size_used_bytes')} MB, outside of its heap ${megabytes('nodejs_external_memory_bytes')} MB`
}

function print(what: string, { seconds, cpuSeconds: processor }: Start) {
  process.stdout.write(`${what}: ${seconds.toFixed(2)} s, of it ${processor.toFixed(2)} s processor\n`)
}
