import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_DATASETS = 6

/** Starts the built product as `npm start` does, with these settings, and returns when it is ready. */
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

/** The first datasets are generated after the first start, in the background. */
export async function untilFirstDatasets(base: string) {
  for (let tries = 0; tries < 600; tries += 1) {
    const products: { rows: number }[] = await (await fetch(`${base}/api/data-products`)).json()
    if (products.filter(({ rows }) => rows > 0).length === FIRST_DATASETS) return
    await sleep(200)
  }
  throw new Error('The first datasets were not made.')
}

export async function end(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
