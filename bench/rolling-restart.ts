// Two processes on PostgreSQL behind nginx with its default rules, restarted in turn under load: how many requests fail, with and without persistent connections.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, installByApt, startPostgres } from '#test/postgres.ts'
import { end, serve } from './serve.ts'

const RESTARTS = Number(process.env['RESTARTS'] ?? 4)
const SENDERS = 16
const FAIL_TIMEOUT_MS = 11_000

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-rolling-'))
const postgres = await startPostgres()
const ports = [await freePort(), await freePort()]
const processes: ChildProcess[] = []
let nginx: number | undefined

try {
  for (const port of ports) processes.push(await start(port))
  let failed = 0
  for (const kept of [true, false]) failed += await measure(kept)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  if (nginx) process.kill(nginx)
  await Promise.all(processes.map(end))
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function start(port: number): Promise<ChildProcess> {
  return serve(`http://127.0.0.1:${port}`, { DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'error' })
}

async function measure(kept: boolean): Promise<number> {
  const port = await startNginx(kept)
  const heard = new Map<string, number>()
  const over = new AbortController()
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = sender; !over.signal.aborted; turn += 1) {
      const what = turn % 2 === 0 ? 'POST' : 'GET'
      const status = await send(port, agent, turn, what)
      const line = `${what} ${status}`
      heard.set(line, (heard.get(line) ?? 0) + 1)
      await sleep(10)
    }
  })
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    // After a refused connection, nginx avoids that server for 10 seconds (`fail_timeout`) and uses only the other one.
    await sleep(FAIL_TIMEOUT_MS)
    const at = restart % 2
    const leaving = processes[at]
    if (leaving) await end(leaving)
    processes[at] = await start(ports[at] ?? 0)
  }
  await sleep(1000)
  over.abort()
  await Promise.all(senders)
  if (nginx) process.kill(nginx)
  nginx = undefined
  const failed = [...heard].filter(([line]) => !/ (200|201)$/.test(line)).reduce((sum, [, count]) => sum + count, 0)
  const all = [...heard.values()].reduce((sum, count) => sum + count, 0)
  const words = [...heard].map(([line, count]) => `${line}: ${count}`).join(', ')
  process.stdout.write(
    `${kept ? 'kept connections' : 'a connection for each request'}: ${all} requests, ${RESTARTS} restarts, ${failed} failed (bar 0): ${words}\n`,
  )
  return failed
}

function send(port: number, agent: Agent, turn: number, method: string): Promise<string> {
  const body = JSON.stringify({
    form: 'contact',
    name: 'Ada',
    email: `ada-${turn}@analytical.example`,
    country: 'France',
    problem: 'Lead Generation',
    message: `Prices of shop ${turn}, every morning, as a table.`,
  })
  const pages = ['/', '/about?x=1', '/api/blog', '/api/data-products']
  const where = method === 'POST' ? '/api/contact' : (pages[(turn >> 1) % pages.length] ?? '/')
  const headers = method === 'POST' ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path: where, method, agent, headers }, (reply) => {
      reply
        .resume()
        .once('end', () => resolve(String(reply.statusCode)))
        .once('error', () => resolve('cut'))
    })
    asked.once('error', (error) => resolve(error.message))
    asked.end(method === 'POST' ? body : undefined)
  })
}

/** A minimal configuration: no retry rule, no timeouts, no health checks. */
async function startNginx(kept: boolean): Promise<number> {
  if (spawnSync('nginx', ['-v']).error) installByApt('nginx-light')
  const port = await freePort()
  const file = path.join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  writeFileSync(
    file,
    `user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon on;
    events { worker_connections 1024; }
    http { access_log off; ${temporary}
      upstream winnow { ${ports.map((each) => `server 127.0.0.1:${each};`).join(' ')} ${kept ? 'keepalive 16;' : ''} }
      server { listen 127.0.0.1:${port};
        location / { proxy_pass http://winnow; proxy_set_header Host $host; ${kept ? 'proxy_http_version 1.1; proxy_set_header Connection "";' : ''} }
      } }`,
  )
  const started = spawnSync('nginx', ['-c', file], { encoding: 'utf8' })
  if (started.status !== 0) throw new Error(started.stderr)
  await sleep(500)
  nginx = Number(readFileSync(path.join(folder, 'nginx.pid'), 'utf8'))
  return port
}
