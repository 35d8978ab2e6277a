import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createHttp } from '#app/platform/http/http.server.ts'
import { CacheServer } from './cache-server.server.ts'
import { StaticContent } from './static-content.server.ts'

const content = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.from('ready') })
const cacheServer = new CacheServer(new Map([['/ready', content]]))
const http = createHttp(cacheServer.serverFactory)
let asked: string[] = []

beforeAll(async () => {
  http.addHook('onReady', async () => cacheServer.open())
  http.addHook('onRequest', async ({ url }) => void asked.push(url))
  http.post<{ Body: string }>('/echo', async ({ body }) => ({ body }))
  http.get('/made', async () => 'made')
  await http.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => {
  asked = []
})
afterAll(() => http.close())

const head = (first: string, ...more: string[]) => `${[`${first} HTTP/1.1`, 'Host: localhost', ...more].join('\r\n')}\r\n\r\n`
const last = 'Connection: close'

/** Sends the pieces on one connection, one after the other, and returns all that comes back. */
async function send(...pieces: string[]): Promise<string> {
  const socket = connect(Number(new URL(http.listeningOrigin).port), '127.0.0.1')
  const heard = text(socket)
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    await sleep(20)
  }
  return heard
}

test('what is ready is sent again and again on one connection, each time with an id of its own, and the framework hears of none', async () => {
  const answers = await send(...[1, 2, 3].map(() => head('GET /ready')), head('GET /ready', `If-None-Match: ${content.etag}`, last))
  expect(answers.match(/HTTP\/1\.1 200 OK\r\nx-request-id: [\w-]+\r\ncontent-type: text\/plain\r\netag: [^]*?\r\n\r\nready/g)).toHaveLength(
    3,
  )
  expect(answers).toMatch(/HTTP\/1\.1 304 Not Modified\r\n(?![^]*content-length)[^]*\r\n\r\n$/)
  expect(new Set(answers.match(/x-request-id: \S+/g)).size).toBe(4)
  expect(asked).toEqual([])
})

test('other requests on the same connection reach the framework', async () => {
  const posted = head('POST /echo', 'Content-Type: application/json', 'Content-Length: 3')
  const answers = await send(head('GET /ready'), head('GET /made'), `${posted}"x"`, head('GET /ready', last))
  expect(answers.match(/200 OK/g)).toHaveLength(4)
  expect(answers).toContain('{"body":"x"}')
  expect(asked).toEqual(['/made', '/echo'])
})

test('a request in pieces and two in one piece are each read to their ends', async () => {
  expect(await send('GET /ready HT', 'TP/1.1\r\nHost: localhost\r\n', `${last}\r\n\r\n`)).toMatch(/200 OK[^]*ready$/)
  expect((await send(head('GET /ready') + head('GET /made', last))).match(/200 OK/g)).toHaveLength(2)
})

test('a request that is hidden in the body of another is not answered', async () => {
  const hidden = head('GET /made')
  const answers = await send(`${head('GET /ready', `Content-Length: ${hidden.length}`)}${hidden}`, head('GET /ready', last))
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  expect(asked).toEqual([])
})

test.each([
  ['no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n'],
  ['a space before the colon', head('GET /ready', 'X : b')],
  ['a NUL', head('GET /ready', 'X: b\0')],
  ['a carriage return within', head('GET /ready', 'X: b\rc')],
  ['a length and pieces', head('POST /echo', 'Content-Length: 3', 'Transfer-Encoding: chunked')],
  ['two lengths', head('POST /echo', 'Content-Length: 3', 'Content-Length: 4')],
])('%s is refused, also after a request that was answered', async (_what, odd) => {
  const answers = await send(head('GET /ready'), odd)
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})
