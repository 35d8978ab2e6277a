import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'

const PAGES = ['/about', '/services']

/** The product once more, with modules and connections of its own, as in another process. */
async function startProcess() {
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('./open.server.ts')
  const { closeSignals, openSignals } = await import('./signals.server.ts')
  const { createApp } = await import('#app/server.ts')
  const { CacheServer } = await import('#app/platform/page-cache/cache-server.server.ts')
  const { clearPages } = await import('#app/platform/page-cache/page-cache.server.ts')
  const { PersonPlaces } = await import('./person-places.server.ts')
  const { makeDataset, makeProduct, signIn } = await import('#test/factories.ts')
  await openDatabase()
  await openSignals()
  const cacheServer = new CacheServer()
  const app = await createApp(cacheServer)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  // A page loads modules at its first request. They must belong to this process, not to the next one.
  for (const page of PAGES) expect((await fetch(url + page)).status).toBe(200)
  const stop = async () => {
    await app.close()
    await closeSignals()
    await closeDatabase()
  }
  return { app, url, clearPages, cache: cacheServer.cache, PersonPlaces, makeDataset, makeProduct, signIn, closeSignals, stop }
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
  expect((await reader?.read())?.value).toMatch(/^event: leads\ndata: \{"age":\d+\}\n\n$/)
  const list = await other.app.inject({ url: '/api/contacts', headers })
  expect(list.body).toContain(ada.name)
  leaving.abort()
})

test('a page that is cleared in one process is cleared in the other, and no more than that', async () => {
  for (const { cache } of [one, other]) expect([cache.find('/about'), cache.find('/services')]).not.toContain(undefined)

  await one.clearPages('/about')
  await expect.poll(() => other.cache.find('/about')).toBeUndefined()
  await expect.poll(() => one.cache.find('/about')).toBeUndefined()
  expect([one.cache.find('/services'), other.cache.find('/services')]).not.toContain(undefined)
})

test('the SQL queries and downloads of a person are counted in all processes together', async () => {
  const product = await one.makeProduct()
  await one.makeDataset(product, 'shop,price\nNorth,1.50\n')
  const { user, headers } = await one.signIn()
  const api = `/api/data-products/${product.id}`
  const query = () => other.app.inject({ method: 'POST', url: `${api}/query`, headers, payload: { sql: 'SELECT count(*) FROM data' } })
  const asked = { method: 'POST' as const, url: `${api}/download`, headers, payload: { downloadType: 'file', format: 'original' } }
  const { downloadUrl } = (await one.app.inject(asked)).json()
  const download = async () => fetch(other.url + downloadUrl, { headers })

  const [queries, downloads] = [new one.PersonPlaces('sql', 2), new one.PersonPlaces('downloads', 8)]
  const take = async (places: typeof queries, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => places.take(user.id)))).filter((leave) => leave !== undefined)
  const [leaveQuery] = await take(queries, 3)
  const [leaveDownload] = await take(downloads, 9)
  expect((await query()).json()).toMatchObject({ code: 'too_many_requests', detail: expect.stringContaining('previous queries') })
  expect((await download()).status).toBe(429)
  leaveQuery?.()
  leaveDownload?.()
  await eventually(async () => expect((await query()).json()).toMatchObject({ rows: [[1]] }))
  await eventually(async () => expect(await (await download()).text()).toContain('North'))
})

test('two processes never give away more places of a person than there are, also after their connections were cut; one that ends frees its own', async () => {
  const [first, second] = [one, other].map(({ PersonPlaces }) => new PersonPlaces('test', 5))
  if (!first || !second) throw new Error('There are two processes.')
  const takeMany = async (count: number, from = [first, second]) => {
    const taken = await Promise.all(Array.from({ length: count }, async (_, at) => from[at % from.length]?.take('ada')))
    return taken.filter((leave) => leave !== undefined)
  }
  const shared = await takeMany(30)
  expect(shared).toHaveLength(5)
  expect(await first.take('grace')).toBeDefined()
  for (const leave of shared) leave()

  const held = await vi.waitUntil(async () => {
    const all = await takeMany(5, [first])
    if (all.length === 5) return all
    for (const leave of all) leave()
    return undefined
  })
  const client = new Client(env.DATABASE_URL)
  await client.connect()
  onTestFinished(() => client.end())
  const locks = async (mode: string) => {
    const those = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = $1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
    return (await client.query<{ pid: number }>(those, [mode])).rows.map(({ pid }) => pid)
  }
  const [before, placesBefore] = [await locks('ShareLock'), await locks('ExclusiveLock')]
  expect(before).toHaveLength(2)
  expect(placesBefore.length).toBeGreaterThanOrEqual(6)
  await client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [before])
  const takenAgain = async () => (await locks('ExclusiveLock')).filter((pid) => !before.includes(pid)).length
  await expect.poll(takenAgain).toBe(placesBefore.length)
  // Until its own connection is back, the second process counts by itself, so what it takes then is given back.
  await expect
    .poll(async () => {
      const taken = await takeMany(5, [second])
      for (const leave of taken) leave()
      return taken
    })
    .toEqual([])
  expect(held).toHaveLength(5)

  // Nothing is given back: the connection of the process ends, as when it is killed.
  await one.closeSignals()
  await expect.poll(() => second.take('ada')).toBeDefined()
})
