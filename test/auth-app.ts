import { afterAll } from 'vitest'
import { addSessionCookieApi } from '#app/account/session/session-front.api.ts'
import { authApi } from '#app/auth/auth.api.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { createHttp, type Http } from '#app/platform/http/http.server.ts'
import { waitInQueues } from './queue-patience.ts'

/**
 * The sign-in service alone, as the product registers it, on the database of this test file. A file that begins with modules of its own, and needs no other
 * endpoint, loads it in a fraction of the time.
 */
export async function startAuth(): Promise<Http> {
  waitInQueues()
  await openDatabase()
  const app = createHttp()
  app.register(authApi(addSessionCookieApi), { prefix: '/auth/v1' })
  await app.ready()
  afterAll(async () => {
    await app.close()
    await closeDatabase()
  })
  return app
}
