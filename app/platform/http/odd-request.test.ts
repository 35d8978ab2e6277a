import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startApp } from '#test/app.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { StaticContent } from '#app/platform/page-cache/static-content.server.ts'

const file = new StaticContent({ 'content-type': 'text/plain' }, { identity: Buffer.from('ready') })
const app = await startApp(new CacheServer(new Map([['/ready.txt', file]])))
await app.listen({ port: 0, host: '127.0.0.1' })

/** A raw client, because other clients repair an address before they send it. */
async function ask(address: string) {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`)
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ', 2)[1]), head: head.toLowerCase(), body: body.join('') }
}

test.each([
  '/%E0%A4%A',
  '/%',
  '/about%',
  '/%ff/services?q=%',
  '/%C0%80',
  '//evil.example/%',
  '/%2e%2e/%',
  `/${'a'.repeat(5000)}`,
  `/nothing/${'%41'.repeat(4000)}`,
])('%s is a page that is not there', async (address) => {
  const { status, head, body } = await ask(address)
  expect(status).toBe(404)
  expect(head).toContain('content-type: text/html; charset=utf-8')
  expect(head).toContain('content-security-policy: ')
  expect(body).toContain('404 Page Not Found')
})

test.each([
  ['an address longer than we read', `/${'a'.repeat(20_000)}`, 431],
  ['an address with a space', '/about us', 400],
  ['one with a control character', '/\u0001', 400],
])('%s gets a page as well, with the headers of all others', async (_what, address, expected) => {
  const { status, head, body } = await ask(address)
  expect(status).toBe(expected)
  expect(head).toContain('content-type: text/html; charset=utf-8')
  expect(head).toContain('x-content-type-options: nosniff')
  expect(head).toContain("content-security-policy: default-src 'none'")
  expect(body).toMatch(/^<!doctype html>.*<h1>.*<a href="\/">/s)
})

test('a malformed query does not break a page', async () => {
  expect((await ask('/about?q=%E0%A4%A')).status).toBe(200)
})

test('API clients get a problem', async () => {
  for (const [address, status] of [
    ['/api/%', 400],
    ['/auth/v1/%', 400],
    [`/api/contacts/${'a'.repeat(500)}`, 404],
  ] as const) {
    const reply = await ask(address)
    expect([address.slice(0, 20), reply.status]).toEqual([address.slice(0, 20), status])
    expect(reply.head).toContain('json')
  }
})

/** Sends these lines after the request line. Returns status and head of the answer. */
async function send(address: string, ...lines: string[]) {
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  socket.write([`GET ${address} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
  const [head = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ', 2)[1]), head: head.toLowerCase() }
}

test('a request for two hosts is refused, so that no proxy in front can take it for another site', async () => {
  for (const address of ['/about', '/about', '/ready.txt', '/nothing', '/api/contact/token', '/auth/v1/health', '/healthz']) {
    expect((await send(address, 'Host: localhost')).status).toBe(address === '/nothing' ? 404 : 200)
    for (const hosts of [
      ['localhost', 'evil.example'],
      ['localhost', 'localhost'],
      ['localhost, evil.example'],
      ['localhost/x'],
      ['a b'],
      ['@a'],
    ]) {
      const { status, head } = await send(address, ...hosts.map((host) => `Host: ${host}`))
      expect([address, hosts, status]).toEqual([address, hosts, 400])
      expect(head).toContain(address.startsWith('/a') && address !== '/about' ? 'json' : 'cache-control: no-store')
    }
  }
  for (const host of ['localhost:3000', '[::1]:3000', '127.0.0.1', 'winnow_web', 'xn--bcher-kva.example', ''])
    expect([host, (await send('/about', `Host: ${host}`)).status]).toEqual([host, 200])
})

test('a request with a content type and no body gets a response without a wait for the body', async () => {
  const headers = { 'content-type': 'application/json;charset=UTF-8' }
  for (const path of ['/auth/v1/factors/x', '/api/nothing']) {
    const reply = await fetch(`${app.listeningOrigin}${path}`, { method: 'DELETE', headers, signal: AbortSignal.timeout(10_000) })
    expect([401, 404]).toContain(reply.status)
  }
})
