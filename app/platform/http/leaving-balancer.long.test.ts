import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { createHttp, type Http } from './http.server.ts'
import { StaticContent } from '#app/platform/page-cache/static-content.server.ts'

const file = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.from('ready') })

let cacheServer: CacheServer
let http: Http
let port: number

beforeEach(async () => {
  cacheServer = new CacheServer(new Map([['/ready.txt', file]]))
  http = createHttp(cacheServer.serverFactory)
  http.addHook('onReady', async () => cacheServer.open())
  http.addHook('preClose', async () => cacheServer.retire())
  http.get('/readyz', async () => ({ status: 'ready' }))
  http.post('/api/enquiry', async () => {
    await sleep(5)
    return { received: true }
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(http.listeningOrigin).port)
})
afterEach(() => http.close())

type Answer = { status: number | undefined; connection: string | undefined; body: string }

/** Asks as a proxy does: on a connection of the agent, never a second time. A port that is closed is `refused`, which a proxy passes to another server. */
function ask(path: string, agent: Agent, method = 'GET'): Promise<Answer | 'refused' | 'broken'> {
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
  const agent = new Agent({ keepAlive: true })
  expect(await ask('/ready.txt', agent)).toEqual({ status: 200, connection: 'keep-alive', body: 'ready' })
  const left = cacheServer.drain(1000)
  expect(await ask('/ready.txt', agent)).toEqual({ status: 200, connection: 'close', body: 'ready' })
  expect(await ask('/readyz', agent)).toMatchObject({ status: 503, connection: 'close' })
  expect(await ask('/api/enquiry', agent, 'POST')).toEqual({ status: 200, connection: 'close', body: '{"received":true}' })
  await left
  expect(await ask('/ready.txt', agent)).toBe('refused')
})

test('a connection that is open when the port is closed may bring one more request', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await ask('/ready.txt', agent)
  const left = cacheServer.drain(0, 2000)
  await expect.poll(() => ask('/ready.txt', new Agent())).toBe('refused')
  expect(await ask('/api/enquiry', agent, 'POST')).toEqual({ status: 200, connection: 'close', body: '{"received":true}' })
  await left
})

test('no enquiry is cut off while a process leaves under load, on old connections and on new ones', async () => {
  const agents = Array.from({ length: 8 }, (_, at) => new Agent({ keepAlive: at % 2 === 0 }))
  const heard: (Answer | 'refused' | 'broken')[] = []
  const over = new AbortController()
  const sending = agents.map(async (agent) => {
    while (!over.signal.aborted) heard.push(await ask('/api/enquiry', agent, 'POST'))
  })
  await expect.poll(() => heard.length).toBeGreaterThan(20)
  await cacheServer.drain(100)
  await http.close()
  over.abort()
  await Promise.all(sending)
  const answered = heard.filter((answer) => typeof answer === 'object')
  expect(answered.filter(({ status }) => status !== 200)).toEqual([])
  expect(heard).not.toContain('broken')
  expect(heard).toContain('refused')
})
