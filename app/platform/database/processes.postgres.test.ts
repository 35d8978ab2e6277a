import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ada, sendEnquiry } from '#test/enquiries.ts'

/** The product once more, with modules and connections of its own, as in another process. */
async function startProcess() {
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('./open.server.ts')
  const { closeSignals, openSignals } = await import('./signals.server.ts')
  const { createApp } = await import('#app/server.ts')
  const { CacheServer } = await import('#app/platform/page-cache/cache-server.server.ts')
  const { clearPages } = await import('#app/platform/page-cache/page-cache.server.ts')
  const { signIn } = await import('#test/factories.ts')
  await openDatabase()
  await openSignals()
  const cacheServer = new CacheServer()
  const app = await createApp(cacheServer)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const stop = async () => {
    await app.close()
    await closeSignals()
    await closeDatabase()
  }
  return { app, url, clearPages, cache: cacheServer.cache, signIn, stop }
}

let one: Awaited<ReturnType<typeof startProcess>>
let other: Awaited<ReturnType<typeof startProcess>>

beforeAll(async () => {
  one = await startProcess()
  other = await startProcess()
})
afterAll(async () => {
  await one.stop()
  await other.stop()
})

test('a lead that one process receives is announced to dashboards that are open at another', async () => {
  const { headers } = await other.signIn('staff')
  const leaving = new AbortController()
  const reply = await fetch(`${other.url}/api/events`, { headers, signal: leaving.signal })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('retry')

  expect((await sendEnquiry(one.app, ada)).statusCode).toBe(201)
  expect((await reader?.read())?.value).toBe('event: leads\ndata: {}\n\n')
  const list = await other.app.inject({ url: '/api/contacts', headers })
  expect(list.body).toContain(ada.name)
  leaving.abort()
})

test('a page that is cleared in one process is cleared in the other, and no more than that', async () => {
  for (const { url } of [one, other]) for (const page of ['/about', '/services']) await (await fetch(`${url}${page}`)).text()
  for (const { cache } of [one, other]) expect([cache.find('/about'), cache.find('/services')]).not.toContain(undefined)

  await one.clearPages('/about')
  await expect.poll(() => other.cache.find('/about')).toBeUndefined()
  await expect.poll(() => one.cache.find('/about')).toBeUndefined()
  expect([one.cache.find('/services'), other.cache.find('/services')]).not.toContain(undefined)
})
