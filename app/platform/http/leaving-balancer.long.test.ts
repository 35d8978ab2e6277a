import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { StaticContent } from '#app/platform/page-cache/static-content.server.ts'
import { createHttp, type Http } from './http.server.ts'

const file = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.from('ready') })
const PATIENCE_MS = 4000

type Process = { cacheServer: CacheServer; http: Http; port: number }

const started: Http[] = []

async function start(): Promise<Process> {
  const cacheServer = new CacheServer(new Map([['/ready.txt', file]]))
  const http = createHttp(cacheServer.serverFactory)
  http.addHook('onReady', async () => cacheServer.open())
  http.get('/readyz', async () => ({ status: 'ready' }))
  http.post<{ Querystring: { ms?: string } }>('/enquiry', async ({ query }) => {
    await sleep(Number(query.ms ?? 5))
    return { received: true }
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  started.push(http)
  return { cacheServer, http, port: Number(new URL(http.listeningOrigin).port) }
}
afterEach(() => Promise.all(started.splice(0).map((http) => http.close())))

type Answer = { status: number | undefined; connection: string | undefined; body: string }

/** Asks as a proxy does: on a connection of the agent, never a second time. */
function ask({ port }: Process, path: string, agent: Agent, method = 'GET'): Promise<Answer | 'refused' | 'broken'> {
  return new Promise((resolve) => {
    const asked = request({ port, host: '127.0.0.1', path, method, agent }, (reply) => {
      const { statusCode: status, headers } = reply
      text(reply).then(
        (body) => resolve({ status, connection: headers.connection, body }),
        () => resolve('broken'),
      )
    })
    asked.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'broken'))
    asked.end()
  })
}

test('while a process leaves, it serves on, tells balancers, and ends each connection with an answer', async () => {
  const process = await start()
  const agent = new Agent({ keepAlive: true })
  expect(await ask(process, '/ready.txt', agent)).toEqual({ status: 200, connection: 'keep-alive', body: 'ready' })
  process.cacheServer.leave()
  expect(await ask(process, '/ready.txt', agent)).toEqual({ status: 200, connection: 'close', body: 'ready' })
  expect(await ask(process, '/readyz', agent)).toMatchObject({ status: 503, connection: 'close' })
  expect(await ask(process, '/enquiry', agent, 'POST')).toEqual({ status: 200, connection: 'close', body: '{"received":true}' })
  await process.cacheServer.close(PATIENCE_MS)
  expect(await ask(process, '/ready.txt', agent)).toBe('refused')
})

test('requests that run when the port closes get their whole answers, and connections without a request end', async () => {
  const process = await start()
  const idle = connect(process.port, '127.0.0.1')
  await once(idle, 'connect')
  const agent = new Agent({ keepAlive: true })
  const running = [1, 2, 3].map(() => ask(process, '/enquiry?ms=500', agent, 'POST'))
  await sleep(100)
  await Promise.all([process.http.close(), process.cacheServer.close(PATIENCE_MS), once(idle.resume(), 'close')])
  const whole = { status: 200, connection: 'close', body: '{"received":true}' }
  expect(await Promise.all(running)).toEqual([whole, whole, whole])
})

test('an answer that takes longer than the patience is cut, so that the process ends', async () => {
  const process = await start()
  const running = ask(process, '/enquiry?ms=20000', new Agent(), 'POST')
  await sleep(100)
  await process.cacheServer.close(200)
  expect(await running).toBe('broken')
})

test('no request fails while two processes are restarted in turn behind a balancer that asks for their readiness', async () => {
  const processes = [await start(), await start()]
  const ready = new Set(processes)
  const over = new AbortController()
  const watcher = new Agent()
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const process of processes) {
        const said = await ask(process, '/readyz', watcher)
        if (typeof said === 'object' && said.status === 200) ready.add(process)
        else ready.delete(process)
      }
      await sleep(20)
    }
  })()
  const heard: (Answer | 'refused' | 'broken')[] = []
  const sending = Array.from({ length: 8 }, async (_, at) => {
    // One connection for each request, or the same for many.
    const agent = new Agent({ keepAlive: at % 2 === 0 })
    for (let turn = at; !over.signal.aborted; turn += 1) {
      const process = [...ready][turn % ready.size]
      if (process) heard.push(await ask(process, turn % 3 === 0 ? '/ready.txt' : '/enquiry', agent, turn % 3 === 0 ? 'GET' : 'POST'))
    }
  })
  for (let restart = 0; restart < 4; restart += 1) {
    await expect.poll(() => ready.size).toBe(2)
    const [leaving] = processes
    if (!leaving) break
    leaving.cacheServer.leave()
    await expect.poll(() => ready.size).toBe(1)
    await sleep(100)
    await Promise.all([leaving.http.close(), leaving.cacheServer.close(PATIENCE_MS)])
    processes.splice(0, 1)
    processes.push(await start())
  }
  over.abort()
  await Promise.all([watching, ...sending])
  expect(heard.length).toBeGreaterThan(100)
  expect(heard.filter((answer) => typeof answer !== 'object' || answer.status !== 200)).toEqual([])
})
