import { afterAll } from 'vitest'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import type { Front } from '#app/platform/front.server.ts'
import type { Http } from '#app/platform/http.server.ts'
import { createApp } from '#app/server.ts'

/** The whole product on the database of this test file. It ends after the last test, and after what the file itself ends there. */
export async function startApp(front?: Front): Promise<Http> {
  await openDatabase()
  const app = await createApp(front)
  await app.ready()
  afterAll(async () => {
    await app.close()
    await closeDatabase()
  })
  return app
}
