import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, installByApt } from './postgres.ts'

export const MOTO_BUCKET = 'winnow-files'

/** Moto, an S3 server of other people, with one empty bucket. `settings` are those of the product. */
export async function startMoto() {
  const python = findMoto()
  const port = await freePort()
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-moto-'))
  const child = spawn(python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], { cwd: folder, stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}`
  await untilUp(endpoint, child)
  await fetch(`${endpoint}/${MOTO_BUCKET}`, { method: 'PUT' })
  return {
    endpoint,
    settings: settingsOf(endpoint),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings of the product for a bucket at this address. */
export function settingsOf(endpoint: string) {
  return {
    S3_ENDPOINT: endpoint,
    S3_REGION: 'us-east-1',
    S3_BUCKET: MOTO_BUCKET,
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
  }
}

/** Whether Moto is here, or can be installed: Debian has no package of it before 13. Without it, only our own S3 server is tested with. */
export function hasMoto(): boolean {
  return findPython() !== undefined || spawnSync('/usr/bin/apt-cache', ['show', 'python3-moto']).status === 0
}

const CHECK = `import importlib.util as util, sys; sys.exit(not (util.find_spec('moto') and util.find_spec('flask')))`

/** A Python with Moto. */
function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', CHECK]).status === 0)
}

function findMoto(): string {
  const found = findPython()
  if (found) return found
  installByApt('python3-moto', 'python3-flask', 'python3-flask-cors')
  const installed = findPython()
  if (!installed) throw new Error('These tests need Moto for Python 3: the package python3-moto of Debian, or moto[server] of pip.')
  return installed
}

async function untilUp(endpoint: string, child: ChildProcess) {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    const isUp = await fetch(endpoint).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('Moto did not start.')
}

/** A bad line to a server: every `failEvery`th request gets a 503, and each response comes `slowMs` late. */
export async function startBadLine(target: string, { failEvery = 0, slowMs = 0 }) {
  let count = 0
  let failed = 0
  const server = createServer((asked, answer) => {
    count += 1
    if (failEvery > 0 && count % failEvery === 0) {
      failed += 1
      asked.resume().once('end', () => answer.writeHead(503, { connection: 'close' }).end())
      return
    }
    const onward = request(new URL(asked.url ?? '/', target), { method: asked.method, headers: asked.headers }, (reply) => {
      setTimeout(() => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers)
        reply.pipe(answer)
      }, slowMs)
    })
    onward.once('error', () => answer.destroy())
    asked.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** How many requests failed so far. */
    failures: () => failed,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
