import { openSettings } from '#app/content/settings/settings.server.ts'
import type { RouteOptions } from 'fastify'
import { afterAll } from 'vitest'
import { createApp, endpoints } from '#app/server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import type { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { createHttp } from '#app/platform/http/http.server.ts'
import { waitInQueues } from './queue-patience.ts'

/**
 * The whole product on the database of this test file, with its pages, which take a while to load. It closes after the last test and after the
 * file's own cleanup. Requests may wait in its queues; `isPatient: false` keeps the product's own limits.
 */
export async function startApp(cacheServer?: CacheServer, { isPatient = true } = {}): Promise<Http> {
  if (isPatient) waitInQueues()
  await openDatabase()
  return ready(await createApp(cacheServer))
}

/** The same without its pages. */
export async function startEndpoints(): Promise<Http> {
  waitInQueues()
  await openDatabase()
  const app = createHttp()
  let closeSettings = () => {}
  // Those of this installation: a worker remembers the ones of an earlier file.
  app.addHook('onReady', async () => void (closeSettings = await openSettings(() => {})))
  app.addHook('onClose', async () => closeSettings())
  app.register(endpoints)
  return ready(app)
}

/** Every endpoint, so that tests also cover new ones. */
export async function listEndpoints(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  const app = createHttp()
  app.addHook('onRoute', (route) => void routes.push(route))
  app.register(endpoints)
  await app.ready()
  await app.close()
  return routes
}

async function ready(app: Http): Promise<Http> {
  await app.ready()
  afterAll(async () => {
    await app.close()
    await closeDatabase()
  })
  return app
}
