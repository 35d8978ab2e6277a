// Two processes on PostgreSQL behind HAProxy, which asks for their readiness, restarted in turn under load: how many requests fail, with and without
// persistent connections.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, installByApt, startPostgres } from '#test/postgres.ts'
import { end, serve } from './serve.ts'

const RESTARTS = Number(process.env['RESTARTS'] ?? 4)
const SENDERS = 16
/** In which the balancer notices that a process is ready. */
const NOTICE_MS = 3000

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-rolling-'))
const postgres = await startPostgres()
const ports = [await freePort(), await freePort()]
const processes: ChildProcess[] = []
let balancer: ChildProcess | undefined

try {
  for (const port of ports) processes.push(await start(port))
  let failed = 0
  for (const kept of [true, false]) failed += await measure(kept)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  balancer?.kill()
  await Promise.all(processes.map(end))
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function start(port: number): Promise<ChildProcess> {
  return serve(`http://127.0.0.1:${port}`, { DATABASE_URL: postgres.url, DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'error' })
}

async function measure(kept: boolean): Promise<number> {
  const port = await startBalancer(kept)
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
    await sleep(NOTICE_MS)
    const at = restart % 2
    const leaving = processes[at]
    if (leaving) await end(leaving)
    processes[at] = await start(ports[at] ?? 0)
  }
  await sleep(1000)
  over.abort()
  await Promise.all(senders)
  balancer?.kill()
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

/** It repeats nothing: a request that fails is heard. */
async function startBalancer(kept: boolean): Promise<number> {
  if (spawnSync('haproxy', ['-v']).error) installByApt('haproxy')
  const port = await freePort()
  const file = path.join(folder, 'haproxy.cfg')
  const servers = ports.map((each) => `  server process${each} 127.0.0.1:${each} check inter 1s fall 1 rise 1`)
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout check 10s
  retries 0
listen winnow
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
  ${kept ? 'http-reuse always' : 'option http-server-close'}
${servers.join('\n')}
`,
  )
  balancer = spawn('haproxy', ['-f', file], { stdio: 'inherit' })
  await sleep(NOTICE_MS)
  return port
}
