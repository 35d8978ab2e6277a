import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ClientFiles } from './client-files.server.ts'
import { CacheServer } from './cache-server.server.ts'
import { createHttp } from '#app/platform/http/http.server.ts'
import { securityHeaders } from '#app/platform/http/security-headers.server.ts'

const script = 'console.info("a script")'.repeat(50)
const folder = mkdtempSync(path.join(tmpdir(), 'winnow-files-'))
mkdirSync(path.join(folder, 'assets'))
mkdirSync(path.join(folder, '.vite'))
writeFileSync(path.join(folder, 'assets/app-1a2b3c.js'), script)
writeFileSync(path.join(folder, 'assets/app-1a2b3c.js.gz'), gzipSync(script))
writeFileSync(path.join(folder, 'robots.txt'), 'User-agent: *')
writeFileSync(path.join(folder, '.vite/manifest.json'), '{}')

const cacheServer = new CacheServer(new ClientFiles(folder))
const http = createHttp(cacheServer.serverFactory)
http.addHook('onReady', async () => cacheServer.open())
beforeAll(() => http.listen({ port: 0, host: '127.0.0.1' }))
afterAll(async () => {
  await http.close()
  rmSync(folder, { recursive: true })
})

const ask = (address: string, headers: OutgoingHttpHeaders = {}) =>
  new Promise<IncomingMessage>((resolve) => get(http.listeningOrigin, { path: address, headers }, resolve))

test('a file with a hash in its name is cached permanently, and compressed ahead of time', async () => {
  const reply = await ask('/assets/app-1a2b3c.js', { 'accept-encoding': 'br, gzip' })
  const { 'permissions-policy': _permissions, ...expected } = securityHeaders
  expect(reply.headers).toMatchObject({
    ...expected,
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  expect(gunzipSync(await buffer(reply)).toString()).toBe(script)
  expect(await text(await ask('/assets/app-1a2b3c.js'))).toBe(script)
})

test('other files are revalidated, and are not sent again when the browser has them', async () => {
  const reply = await ask('/robots.txt')
  expect([reply.headers['cache-control'], await text(reply)]).toEqual(['public, max-age=3600', 'User-agent: *'])
  expect((await ask('/robots.txt', { 'if-none-match': reply.headers.etag })).statusCode).toBe(304)
})

test('a file that cannot be read is missing, and can be read later', async () => {
  const other = mkdtempSync(path.join(tmpdir(), 'winnow-files-'))
  for (const name of ['gone.txt', 'late.txt', 'there.txt']) writeFileSync(path.join(other, name), name)
  const files = new ClientFiles(other)
  rmSync(path.join(other, 'gone.txt'))
  rmSync(path.join(other, 'late.txt'))
  mkdirSync(path.join(other, 'late.txt'))
  expect([files.get('/gone.txt'), files.get('/late.txt')]).toEqual([undefined, undefined])
  await files.readAll()
  rmSync(path.join(other, 'late.txt'), { recursive: true })
  rmSync(path.join(other, 'there.txt'))
  writeFileSync(path.join(other, 'late.txt'), 'late')
  expect([files.get('/gone.txt'), files.get('/late.txt'), files.get('/there.txt')].map(Boolean)).toEqual([false, true, true])
  rmSync(other, { recursive: true })
})

test('no list of entity tags is long or odd enough to keep us busy', async () => {
  const { etag } = (await ask('/robots.txt')).headers
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { url: '/robots.txt', method: 'GET', headers: { 'if-none-match': `"a"${' '.repeat(300_000)}"b" ,\t ${etag}` } })
  const response = new ServerResponse(request)
  cacheServer.handle(request, response)
  expect(response.statusCode).toBe(304)
})

test.each([
  '/.vite/manifest.json',
  '/assets/app-1a2b3c.js.gz',
  '/assets',
  '/assets/../robots.txt',
  '/assets/..%2Frobots.txt',
  '/assets/app-0000.js',
])('%s is no file for browsers', async (address) => {
  expect((await ask(address)).statusCode).toBe(404)
})

test('after a later build has removed a file, the process that has read all files still sends it', async () => {
  const place = mkdtempSync(path.join(tmpdir(), 'winnow-builds-'))
  writeFileSync(path.join(place, 'old.txt'), 'as it was')
  const [reader, late] = [new ClientFiles(place), new ClientFiles(place)]
  await reader.readAll()
  rmSync(place, { recursive: true })
  expect(reader.get('/old.txt')?.text).toBe('as it was')
  expect(late.get('/old.txt')).toBe(undefined)
  await late.readAll()
})
