import * as build from 'virtual:react-router/server-build'
import path from 'node:path'
import { endpoints } from './endpoints.server.ts'
import { closeOperatorDoor, openOperatorDoor } from '#app/backup/running.server.ts'
import { settleOwner } from '#app/identity/owner.server.ts'
import { runCommand } from '#app/commands.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { readClientFiles } from '#app/platform/client-files.server.ts'
import { closeDatabase, openDatabase } from '#app/database/open.server.ts'
import { db } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { Front } from '#app/platform/front.server.ts'
import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { closeLimits } from '#app/platform/limits.server.ts'
import { endWhenAsked, endWhenBroken, giveUp } from '#app/platform/lifecycle.server.ts'
import { measureEventLoop } from '#app/platform/metrics.server.ts'
import { pages } from '#app/platform/pages.server.ts'
import { closeSignals, openSignals } from '#app/platform/signals.server.ts'
import { signingKey } from '#app/session/signing-key.server.ts'
import { welcome } from '#app/welcome.server.ts'
import { createHttp, type Http } from '#app/platform/http.server.ts'

/** Where the build puts what is for browsers, beside its own folder. While the source runs as it is, Vite serves that. */
const clientFolder = path.join(import.meta.dirname, '../client')

/** How long answers that are under way may take once the process has been asked to end. */
const PATIENCE_MS = 6000

/** Everything that answers, on one server that does not listen yet. The database must be open. */
export async function createApp(front = new Front()): Promise<Http> {
  const app = createHttp(front.serverFactory)
  app.addHook('onReady', async () => front.open())
  app.addHook('preClose', async () => front.retire())
  app.register(endpoints)
  app.register(pages(build, front.cache, front.readFile))
  return app
}

/** Opens everything behind a front. Answers the function that ends it: nothing new is taken, what runs is finished, the database is closed. */
export async function open(front: Front): Promise<() => Promise<void>> {
  const dataDir = path.resolve(env.DATA_DIR)
  await openDatabase()
  await settleOwner()
  // A key that cannot be used stops the start, not the first sign-in.
  await signingKey()
  await openSignals()
  const app = await createApp(front)
  await app.ready()
  startJobs()
  measureEventLoop()
  if (!env.DATABASE_URL) await openOperatorDoor(db, dataDir)
  return async () => {
    await Promise.all([app.close().then(() => front.close(PATIENCE_MS)), stopJobs()])
    closeTransport()
    closeOperatorDoor(dataDir)
    await closeSignals()
    await closeLimits()
    await closeDatabase()
  }
}

/** Serves until it is asked to end. */
async function serve() {
  endWhenBroken()
  const front = new Front(readClientFiles(clientFolder))
  await front.listen(env.PORT, env.HOST)
  endWhenAsked(await open(front))
  process.stdout.write(await welcome())
}

if (import.meta.main) {
  const asked = process.argv.slice(2)
  const work = asked.length > 0 ? runCommand(asked).then((code) => process.exit(code)) : serve()
  work.catch(giveUp)
}
