import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '#test/postgres.ts'

export type Server = {
  url: string
  pid: number | undefined
  /** Its output so far. */
  output: () => string
  signal: (name: NodeJS.Signals) => void
  /** Returns its exit code after it exits. */
  ended: () => Promise<number | null>
  /** Returns its exit code, if it was not killed. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<number | null>
}

const PROGRAM = 'build/server/index.js'

/** How the built product is started, for a server or a command: the arguments of Node, and the environment. */
export function productStart(settings: Record<string, string>, args: string[] = [], program = PROGRAM) {
  const flags = process.env.E2E_NODE_FLAGS?.split(' ') ?? []
  // A run of all tests starts the product more than a hundred times, so its compiled code is cached.
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...settings }
  return { args: [...flags, program, ...args], env }
}

/** Runs a command of the built product, as `npm run …` does. */
export function runCommand(settings: Record<string, string>, ...command: string[]) {
  const { args, env } = productStart(settings, command)
  return promisify(execFile)(process.execPath, args, { env })
}

/** Starts the built product on a free port and waits until it is ready. */
export async function startServer(settings: Record<string, string>, program = PROGRAM, patienceMs = 60_000): Promise<Server> {
  const port = Number(settings.PORT ?? (await freePort()))
  const { args, env } = productStart({ PORT: String(port), ...settings }, [], program)
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const url = `http://localhost:${port}`
  await untilReady(url, child, { output: () => output, patienceMs })
  return {
    url,
    pid: child.pid,
    output: () => output,
    signal: (name) => void child.kill(name),
    async ended() {
      if (child.exitCode === null) await once(child, 'exit')
      return child.exitCode
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      await once(child, 'exit')
      return child.exitCode
    },
  }
}

async function untilReady(url: string, child: ChildProcess, { output, patienceMs }: { output: () => string; patienceMs: number }) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause(30)) {
    if (child.exitCode !== null) break
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    if (ready?.ok) return
  }
  child.kill('SIGKILL')
  throw new Error(`The server did not become ready:\n${output()}`)
}
