// The start of every npm script: installs missing packages, builds changes, then becomes the pinned Node that does the work.
// It runs on any Node from 20 on, before any package is installed, so it imports only Node's own modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { alone } from './lock.mjs'
import { build, findNode, install, Refusal, root, say, withTools } from './prepare.mjs'

const PROGRAM = 'build/server/index.js'
const production = { NODE_ENV: 'production', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? 'node_modules/.cache/compiled' }

/** `settings`: the task reads the settings of the file `.env`. Tests have settings of their own. */
const tasks = {
  start: { built: true, settings: true, run: [PROGRAM], env: production },
  command: { built: true, settings: true, run: [PROGRAM], env: production },
  build: { built: true },
  dev: { settings: true, run: ['scripts/dev.ts'], env: { NODE_ENV: 'development' } },
  check: { run: ['scripts/check.ts'] },
  test: { built: true, run: ['scripts/test.ts'] },
  e2e: { built: true, run: ['node_modules/@playwright/test/cli.js', 'test'] },
  bench: { built: true, run: ['bench/run.ts'] },
}

async function main([name, ...args]) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 12)) throw new Refusal(`Node 20.12 or newer is needed, this is ${process.version}.`)
  const task = tasks[name]
  if (!task) throw new Refusal(`There is no ${name ?? 'task without a name'}: choose one of ${Object.keys(tasks).join(', ')}.`)
  process.chdir(root)
  await alone(root, async () => {
    await install()
    if (task.built) await build()
  })
  // Variables of the environment win over those of the file.
  if (task.settings && existsSync('.env')) process.loadEnvFile()
  if (task.run) become([...task.run, ...args], withTools(task.env))
}

/** Replaces this process where Node supports it, so that signals and exit codes need no relay; otherwise relays them. */
function become(args, env) {
  const node = findNode()
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env)
  const child = spawn(node, args, { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    // Ctrl+C reaches the child from the terminal itself.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Refusal)) throw error
  say(error.message)
  process.exitCode = 1
})
