import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SITE_URL'] = 'http://www.shop.example'
})

const { CacheServer } = await import('#app/platform/page-cache/cache-server.server.ts')
const { createHttp } = await import('./http.server.ts')

const cacheServer = new CacheServer()
const http = createHttp(cacheServer.serverFactory)
http.addHook('onReady', async () => cacheServer.open())
http.all('/*', async () => 'here')
beforeAll(() => http.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => http.close())

async function ask(host: string, forwarded?: string) {
  const headers = { host, ...(forwarded && { 'x-forwarded-host': forwarded }) }
  const sent = request(http.listeningOrigin, { path: '/about', headers }).end()
  const { statusCode, headers: said } = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  return [statusCode, said.location]
}

test('on plain http only the name without www is another name of the site', async () => {
  expect(await ask('shop.example')).toEqual([301, 'http://www.shop.example/about'])
  expect(await ask('nas.home.example')).toEqual([200, undefined])
})

test('what passes itself off as a proxy is not believed', async () => {
  expect(await ask('shop.example', 'www.shop.example')).toEqual([301, 'http://www.shop.example/about'])
})
