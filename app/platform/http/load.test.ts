import { availableParallelism } from 'node:os'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { waitInQueues } from '#test/queue-patience.ts'
import { createHttp } from './http.server.ts'

const http = createHttp()
let finish = () => {}
let held = Promise.resolve()

beforeAll(async () => {
  const slow = async () => {
    await held
    return {}
  }
  http.get('/api/slow', slow)
  http.get('/api/v1/slow', slow)
  http.post('/api/slow', slow)
  http.post('/api/last', { config: { isRefusedLast: true } }, slow)
  await http.ready()
})

// `inject` sends its request when it is first awaited.
const read = async () => await http.inject('/api/slow')
const write = async () => await http.inject({ method: 'POST', url: '/api/slow' })
const writeLast = async () => await http.inject({ method: 'POST', url: '/api/last' })

/** No started work ends before `finish`. */
function hold() {
  held = new Promise((resolve) => (finish = resolve))
}

type Reply = Awaited<ReturnType<typeof read>>

const statusesOf = async (replies: Promise<Reply>[]) => (await Promise.all(replies)).map(({ statusCode }) => statusCode)
const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

describe('requests are not refused for waiting long', () => {
  waitInQueues()

  test('reads are refused before writes, writes before an enquiry, and all accepted requests are served', async () => {
    hold()
    const [readers, writers, enquirers] = [read, write, writeLast].map((ask) => Array.from({ length: 300 }, ask))
    const refused = await Promise.race(readers ?? [])
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
      503,
      '2',
      'application/problem+json',
    ])
    expect(refused.json()).toMatchObject({ status: 503, code: 'busy', detail: expect.stringContaining('try again in a few seconds') })
    expect((await Promise.race(writers ?? [])).statusCode).toBe(503)
    finish()
    const [read200, written200, taken200] = await Promise.all(
      [readers, writers, enquirers].map(async (each = []) => count(await statusesOf(each), 200)),
    )
    expect(read200).toBeGreaterThanOrEqual(200)
    expect(written200).toBeGreaterThanOrEqual(200)
    expect([read200, written200].every((each = 0) => each < 300)).toBe(true)
    expect(taken200).toBe(300)
  })
})

test('while the work ahead does not end, a read is refused first, a sign-in later, an enquiry last', async () => {
  hold()
  const running = [read, write, writeLast].flatMap((ask) => Array.from({ length: 16 }, ask))
  const refused: string[] = []
  const asked = Object.entries({ enquiry: writeLast, signIn: write, reader: read }).map(async ([name, ask]) => {
    const { statusCode } = await ask()
    refused.push(`${name}: ${statusCode}`)
  })
  await Promise.all(asked)
  expect(refused).toEqual(['reader: 503', 'signIn: 503', 'enquiry: 503'])
  finish()
  await Promise.all(running)
})

test('a visitor whose page waits a second for others gets it', async () => {
  hold()
  const running = Array.from({ length: 16 }, read)
  const visitor = read()
  await Promise.race([visitor, sleep(1000)])
  finish()
  expect((await visitor).statusCode).toBe(200)
  await Promise.all(running)
})

test('programs that read rows at the same time wait for one another for seconds', async () => {
  hold()
  const readers = Array.from({ length: availableParallelism() + 8 }, async () => await http.inject('/api/v1/slow'))
  await sleep(2000)
  finish()
  expect(new Set(await statusesOf(readers))).toEqual(new Set([200]))
})

test('a response that is being sent blocks no other request', async () => {
  const streaming = createHttp()
  streaming.get('/api/stream', async (_request, reply) => {
    const endless = new PassThrough()
    endless.write('more to come')
    return reply.send(endless)
  })
  streaming.get('/api/quick', async () => ({}))
  await streaming.listen({ port: 0, host: '127.0.0.1' })
  const streams = await Promise.all(Array.from({ length: 30 }, () => fetch(`${streaming.listeningOrigin}/api/stream`)))
  expect((await streaming.inject('/api/quick')).statusCode).toBe(200)
  for (const { body } of streams) await body?.cancel()
  await streaming.close()
})
