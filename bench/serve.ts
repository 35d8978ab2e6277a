import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts the built product under these settings, and answers once it is ready. */
export async function serve(base: string, settings: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const common = { NODE_ENV: 'production', LOG_LEVEL: 'error', PORT: new URL(base).port, RATE_LIMITS: 'off' }
  const child = spawn(process.execPath, ['build/server/index.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...common, ...settings },
  })
  for (let tries = 0; tries < 300; tries += 1) {
    const ready = await fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return child
    await sleep(100)
  }
  throw new Error('The server did not start.')
}

export async function end(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
