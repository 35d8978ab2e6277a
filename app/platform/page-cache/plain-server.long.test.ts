import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CacheServer } from './cache-server.server.ts'
import { createHttp, type Http } from '#app/platform/http/http.server.ts'
import { StaticContent } from './static-content.server.ts'

const content = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.from('ready') })
const large = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.alloc(4_000_000, 'l') })
const get = (path: string, ...more: string[]) => `${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...more].join('\r\n')}\r\n\r\n`

let cacheServer: CacheServer
let http: Http
let port: number
let asked: string[]

beforeEach(async () => {
  asked = []
  cacheServer = new CacheServer(new Map(Object.entries({ '/ready': content, '/large': large })))
  http = createHttp(cacheServer.serverFactory)
  http.addHook('onReady', async () => cacheServer.open())
  http.post<{ Body: string }>('/echo', async ({ body }) => ({ body }))
  http.get('/made', async () => 'made')
  http.addHook('onRequest', async ({ url }) => void asked.push(url))
  await http.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(http.listeningOrigin).port)
})
afterEach(() => http.close())

function open() {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  // A broken connection shows in missing responses.
  socket.on('error', () => {})
  socket.on('data', (piece) => (heard += piece.toString('latin1')))
  /** Sends a piece and returns everything received, once it ends with `until`. */
  const say = async (text: string, until: string) => {
    socket.write(text)
    for (let turn = 0; turn < 500 && !heard.endsWith(until); turn++) await sleep(10)
    const all = heard
    heard = ''
    return all
  }
  return { socket, say }
}

const closed = (socket: Socket) => (socket.destroyed ? undefined : once(socket, 'close'))

test('what is ready is answered at once, again and again on one connection, and the framework hears of none', async () => {
  const { socket, say } = open()
  for (let time = 0; time < 5; time++) {
    const answer = await say(get('/ready'), 'ready')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nx-request-id: [\w-]+\r\ncontent-type: text\/plain\r\netag: /)
    expect(answer).toContain('\r\nContent-Length: 5\r\n'.toLowerCase())
    expect(answer).toMatch(/\r\nDate: .* GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=72\r\n\r\nready$/)
  }
  expect(await say(get('/ready', `If-None-Match: ${content.etag}`), '\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 304 Not Modified\r\n(?!.*content-length)/s,
  )
  expect(asked).toEqual([])
  socket.destroy()
})

test('every answer has an id of its own', async () => {
  const { socket, say } = open()
  const answers = [await say(get('/ready'), 'ready'), await say(get('/ready'), 'ready'), await say(get('/ready'), 'ready')]
  expect(new Set(answers.map((answer) => /x-request-id: (\S+)/.exec(answer)?.[1])).size).toBe(3)
  socket.destroy()
})

test('a connection goes over to the framework with its first other request, and what is ready still comes on it', async () => {
  const { socket, say } = open()
  await say(get('/ready'), 'ready')
  expect(await say(get('/made'), 'made')).toContain('200 OK')
  expect(await say(get('/ready'), 'ready')).toContain('200 OK')
  const posted = ['POST /echo HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 3', '', '"x"'].join('\r\n')
  expect(await say(posted, '{"body":"x"}')).toContain('200 OK')
  expect(asked).toEqual(['/made', '/echo'])
  socket.destroy()
})

test('a request in pieces, two in one piece, and one with a body are each read to their ends', async () => {
  const first = open()
  first.socket.write('GET /ready HT')
  await sleep(20)
  expect(await first.say('TP/1.1\r\nHost: localhost\r\n\r\n', 'ready')).toContain('200 OK')

  const second = open()
  expect((await second.say(get('/ready') + get('/made'), 'made')).match(/200 OK/g)).toHaveLength(2)

  const third = open()
  const hidden = get('/made')
  const answer = await third.say(`${get('/ready', `Content-Length: ${hidden.length}`)}${hidden}`, 'ready')
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(asked).toEqual(['/made'])
  for (const { socket } of [first, second, third]) socket.destroy()
})

test('what is no HTTP is refused, also after something that was', async () => {
  const { socket, say } = open()
  await say(get('/ready'), 'ready')
  expect(await say('\u0016\u0003\u0001 hello\r\n\r\n', '}')).toContain('400')
  await closed(socket)
})

// Beside all other tests the connection is now and then reset before anything of it is read, by whom is not known yet: it is tried again.
test('who does not read what was sent is not sent more and more', { retry: 3 }, async () => {
  const { socket, say } = open()
  socket.pause()
  for (let time = 0; time < 20; time++) {
    socket.write(get('/large'))
    await sleep(5)
  }
  socket.resume()
  const all = await say(get('/made'), 'made')
  expect(all.match(/x-request-id/gi)).toHaveLength(21)
  expect(new Set(all.match(/x-request-id: \S+/gi)).size).toBe(21)
  socket.destroy()
})

test('the server closes although a visitor keeps a connection open, and a finished answer is whole', async () => {
  const [silent, used] = [open(), open()]
  await once(silent.socket, 'connect')
  expect(await used.say(get('/ready'), 'ready')).toContain('200 OK')
  await http.close()
  await Promise.all([closed(silent.socket), closed(used.socket)])
})

test('who says no more is not answered with an open connection', async () => {
  const { socket, say } = open()
  await say(get('/ready'), 'ready')
  socket.end()
  await closed(socket)
  expect(socket.readableEnded).toBe(true)
})
