// The start of every npm script: installs missing packages, builds changes, then becomes the pinned Node that does the work.
// It runs on any Node from 20 on, before any package is installed, so it imports only Node's own modules.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { alone } from './lock.mjs'
import { install } from './packages.mjs'
import { build, pinnedNode, Refusal, root, say, starting, withTools } from './prepare.mjs'

const tasks = {
  start: {
    built: true,
    run: [...starting.flags, starting.program],
    env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? starting.compiled },
  },
  command: { built: true, run: [starting.program], env: { NODE_ENV: 'production' } },
  build: { built: true },
  dev: { run: ['scripts/dev.ts'], env: { NODE_ENV: 'development' } },
  check: { checks: true, run: ['scripts/check.ts'] },
  test: { checks: true, built: true, run: ['scripts/test.ts'] },
  e2e: { checks: true, built: true, run: ['node_modules/@playwright/test/cli.js', 'test'] },
  bench: { checks: true, built: true, run: ['bench/run.ts'] },
}

async function main([name, ...args]) {
  if (Number(process.versions.node.split('.')[0]) < 20) throw new Refusal(`Node 20 or newer is needed, this is ${process.version}.`)
  const task = tasks[name]
  if (!task) throw new Refusal(`There is no ${name ?? 'task without a name'}: choose one of ${Object.keys(tasks).join(', ')}.`)
  process.chdir(root)
  await alone(root, async () => {
    await install({ withChecks: Boolean(task.checks) })
    if (task.built) await build()
  })
  if (task.run) become([...task.run, ...args], withTools(task.env))
}

/** Replaces this process where Node supports it, so that signals and exit codes need no relay; otherwise relays them. */
function become(args, env) {
  if (process.execve && process.platform !== 'win32') process.execve(pinnedNode, [pinnedNode, ...args], env)
  const child = spawn(pinnedNode, args, { stdio: 'inherit', env })
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
