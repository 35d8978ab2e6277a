import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPlainRequest } from './plain-request.server.ts'

const nobody = new Socket()
const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'), nobody)
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`

const browser = [
  'Host: example.com',
  'Connection: keep-alive',
  'sec-ch-ua: "Chromium";v="156"',
  'Upgrade-Insecure-Requests: 1',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64)',
  'Accept: text/html,application/xhtml+xml',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Cookie: theme=dark',
]

test('what a browser sends is read: the path, and what decides the answer', () => {
  expect(read(lines('GET /services?x=1 HTTP/1.1', ...browser))).toEqual({
    method: 'GET',
    url: '/services?x=1',
    headers: { host: 'example.com', 'accept-encoding': 'gzip, deflate, br, zstd', cookie: 'theme=dark' },
    socket: nobody,
  })
})

test.each([
  ['another method', lines('HEAD / HTTP/1.1', 'Host: a')],
  ['a small letter', lines('get / HTTP/1.1', 'Host: a')],
  ['an older protocol', lines('GET / HTTP/1.0', 'Host: a')],
  ['no host', lines('GET / HTTP/1.1', 'Accept: */*')],
  ['two hosts', lines('GET / HTTP/1.1', 'Host: a', 'host: b')],
  ['a list of hosts', lines('GET / HTTP/1.1', 'Host: a, b')],
  ['a host with a path', lines('GET / HTTP/1.1', 'Host: a/b')],
  ['two cookies', lines('GET / HTTP/1.1', 'Host: a', 'Cookie: a=1', 'Cookie: b=1')],
  ['the address of a proxy', lines('GET http://a/ HTTP/1.1', 'Host: a')],
  ['a body that is announced', lines('GET / HTTP/1.1', 'Host: a', 'Content-Length: 0')],
  ['a body in pieces', lines('GET / HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')],
  ['a body that was not announced', `${lines('GET / HTTP/1.1', 'Host: a')}x`],
  ['two requests', lines('GET / HTTP/1.1', 'Host: a').repeat(2)],
  ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a connection that ends', lines('GET / HTTP/1.1', 'Host: a', 'Connection: close')],
  ['a connection that ends for a proxy', lines('GET / HTTP/1.1', 'Host: a', 'Proxy-Connection: close')],
  ['another protocol', lines('GET / HTTP/1.1', 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c')],
  ['a question first', lines('GET / HTTP/1.1', 'Host: a', 'Expect: 100-continue')],
  ['a folded line', lines('GET / HTTP/1.1', 'Host: a', ' b: c')],
  ['a space before the colon', lines('GET / HTTP/1.1', 'Host : a')],
  ['a lone line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
  ['a line feed within', lines('GET / HTTP/1.1', 'Host: a', 'X: b\nContent-Length: 5')],
  ['a carriage return within', lines('GET / HTTP/1.1', 'Host: a', 'X: b\rc')],
  ['a NUL', lines('GET / HTTP/1.1', 'Host: a', 'X: b\0')],
  ['a letter beyond ASCII', lines('GET /é HTTP/1.1', 'Host: a')],
  ['a space in the path', lines('GET /a b HTTP/1.1', 'Host: a')],
  ['more than browsers send', lines('GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(4096)}`)],
])('%s is for the ordinary reader', (_what, text) => {
  expect(read(text)).toBeUndefined()
})

let heard: IncomingMessage | undefined
let staysOpen: boolean | undefined
const server = createServer((request, response) => {
  heard = request
  staysOpen = response.shouldKeepAlive
  response.end()
})
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => void server.close())

/** The same text read by Node's own parser. */
async function readByNode(text: string): Promise<IncomingMessage | undefined> {
  heard = undefined
  const address = server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  socket.end(text, 'latin1')
  for await (const _answer of socket) if (heard) break
  return heard
}

const piece = fc.constantFrom('a', ' ', ':', '\r', '\n', '\r\n', '\t', ',', '=', '\0', 'é', ': b', 'Content-Length: 1', 'Host: a')
const line = fc.oneof(
  fc.constantFrom(
    ...browser,
    'If-None-Match: "a"',
    'X-Forwarded-For: 10.0.0.1 ',
    'Connection: close',
    'Proxy-Connection: close',
    'Proxy-Connection: keep-alive',
    'TE: trailers',
    'X:',
    'X: ',
  ),
  fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
)
const request = fc
  .tuple(fc.constantFrom('/', '/a?b', '//a', '*', '/a b'), fc.array(line, { maxLength: 8 }))
  .map(([path, more]) => lines(`GET ${path} HTTP/1.1`, 'Host: example.com', ...more))

test('what is read here is read in the same way by Node', async () => {
  let both = 0
  const check = fc.asyncProperty(request, async (text) => {
    const ours = read(text)
    if (!ours) return
    both += 1
    const nodes = await readByNode(text)
    expect(nodes).toMatchObject({ method: 'GET', url: ours.url, headers: ours.headers })
    expect(nodes?.headers).not.toHaveProperty('content-length')
    expect(staysOpen).toBe(true)
  })
  await fc.assert(check, { numRuns: 500 })
  expect(both).toBeGreaterThan(5)
})
