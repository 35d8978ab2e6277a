import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const TOKEN = 'a token of twenty-four..'
vi.hoisted(() => {
  process.env['METRICS_TOKEN'] = 'a token of twenty-four..'
})

const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
const { createApp } = await import('#app/server.ts')
const { measureProcess } = await import('./metrics.server.ts')

await openDatabase()
const app = await createApp()
beforeAll(async () => {
  measureProcess()
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await closeDatabase()
})

const metrics = (headers = {}, remoteAddress = '127.0.0.1') => app.inject({ url: '/metrics', headers, remoteAddress })

test('a live process says so, and is ready when its database responds', async () => {
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'alive' })
  expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' })
})

describe('metrics', () => {
  test('report response times by route, cached responses, and the state of the process', async () => {
    await app.inject('/api/nothing')
    await app.inject('/contact?reason=metrics')
    for (let time = 0; time < 3; time++) await (await fetch(`${app.listeningOrigin}/contact`)).text()

    const { headers, body } = await metrics()
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/api/*",status="404"} 1\n')
    expect(body).toContain('http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/contact",status="200"} 2\n')
    expect(body).toContain('http_ready_answers_total{kind="page",status="200"} 2\n')
    expect(body).toContain('jobs{state="due"} 0\n')
    expect(body).toMatch(/database_connections\{state="open"\} 1\n/)
    expect(body).toMatch(/process_resident_memory_bytes \d{8,}\n/)
  })

  test('are well-formed: each line is a comment or a number with a name', async () => {
    const lines = (await metrics()).body.split('\n').filter(Boolean)
    expect(lines.filter((line) => !/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? ([\d.e+-]+|nan))$/i.test(line))).toEqual([])
  })

  test('are not for visitors: neither from elsewhere nor through a proxy on this machine', async () => {
    expect((await metrics({}, '203.0.113.7')).statusCode).toBe(403)
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-port', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip'])
      expect((await metrics({ [header]: '127.0.0.1' })).statusCode).toBe(403)
  })

  test('are not for a proxy without settings, which forwards in HTTP/1.0', async () => {
    const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
    socket.write('GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:3000\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /)
  })

  test('are not for a page whose host name leads to this machine', async () => {
    expect((await metrics({ host: 'evil.example' })).statusCode).toBe(403)
    expect((await metrics({ host: '[::1]:3000' })).statusCode).toBe(200)
  })

  test('need only the token, from anywhere', async () => {
    expect((await metrics({ authorization: `Bearer ${TOKEN}` }, '203.0.113.7')).statusCode).toBe(200)
    expect((await metrics({ authorization: `Bearer ${TOKEN}x` }, '203.0.113.7')).statusCode).toBe(403)
  })
})

test('a process without its database is alive, but not ready', async () => {
  await closeDatabase()
  const reply = await app.inject('/readyz')
  expect([reply.statusCode, reply.headers['retry-after'], reply.json().detail]).toEqual([503, '5', 'The database does not answer.'])
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  await openDatabase()
})
