import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pushKeys } from '#app/account/notifications/push-key.server.ts'
import { signingKey } from '#app/auth/sessions/jwt.server.ts'
import { settleOwner } from '#app/auth/users/owner.server.ts'
import { scheduleFirstPosts } from '#app/blog/public/first-posts.server.ts'
import { rerenderPosts } from '#app/blog/public/rerender.server.ts'
import { adoptCalls } from '#app/booking/future-owner.server.ts'
import { runDatasetCommand } from '#app/datasets/import/operator.server.ts'
import { closeEngine } from '#app/datasets/rows/engine.server.ts'
import { createSampleProducts } from '#app/datasets/samples/sample-catalog.server.ts'
import { refreshServiceHours } from '#app/leads/lead/service-hours.server.ts'
import { startMailbox, stopMailbox } from '#app/leads/mailbox/mailbox-reader.server.ts'
import { closeTransport, findMailProblem } from '#app/mail/transport.server.ts'
import { closeAdminSocket, openAdminSocket } from '#app/ops/running.server.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { env } from '#app/platform/env.server.ts'
import { measureProcess } from '#app/platform/http/metrics.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import type { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { repeatUntilDone } from '#app/platform/process/repeated.server.ts'
import { startTracing } from '#app/platform/process/tracing.server.ts'
import { keyCommands } from './commands.server.ts'
import { createApp } from './server.ts'

/** Milliseconds for load balancers to notice that this process ends, while others serve. */
const GRACE_MS = 5000

/** Milliseconds until the work of a start is tried again. */
const REPEAT_MS = 10_000

/** Milliseconds for responses in progress once the port is closed. Supervisors kill a process ten seconds after its signal. */
const PATIENCE_MS = 4000

type Running = {
  /** Starts jobs and the mailbox, and does what each start does. Call it once the port is open: visitors should not wait for it. */
  startWork: () => Promise<void>
  /** Drains requests and jobs, and closes the database. */
  stop: (signal?: string) => Promise<void>
}

/** Opens the database and the server. */
export async function open(cacheServer: CacheServer): Promise<Running> {
  const dataDir = path.resolve(env.DATA_DIR)
  const endTracing = await startTracing()
  await openDatabase()
  await settleOwner()
  // An unusable key stops the start, not the first sign-in.
  await signingKey()
  await pushKeys()
  await openSignals()
  const app = await createApp(cacheServer)
  await app.ready()
  measureProcess()
  if (!env.DATABASE_URL) await openAdminSocket(dataDir, { dataset: runDatasetCommand, ...keyCommands })
  let working: Promise<void> | undefined
  const stopping = new AbortController()
  return {
    startWork: async () => {
      if (stopping.signal.aborted) return
      startJobs()
      startMailbox()
      void tellMailProblem()
      // An outage of the database must not end a process that serves visitors.
      const onFailure = (error: unknown) => log.error({ err: error }, 'the work of the start failed, and is repeated')
      await (working = repeatUntilDone(doStartWork, { pauseMs: REPEAT_MS, signal: stopping.signal, onFailure }))
    },
    stop: async (signal) => {
      stopping.abort()
      cacheServer.leave()
      // Only on PostgreSQL can another process serve meanwhile. Ctrl+C skips the wait.
      if (signal === 'SIGTERM' && env.DATABASE_URL) await sleep(GRACE_MS)
      // The work of a start may wait for a lock of another process.
      const worked = Promise.race([working, sleep(PATIENCE_MS, undefined, { ref: false })])
      await Promise.all([app.close(), cacheServer.close(PATIENCE_MS), stopJobs(), stopMailbox(), worked])
      closeTransport()
      closeAdminSocket(dataDir)
      await closeSignals()
      await closeLimits()
      await closeEngine()
      await closeDatabase()
      await endTracing()
    },
  }
}

/** Emails of a mail server that is away, or refuses our login, fail only hours later. */
async function tellMailProblem(): Promise<void> {
  const problem = await findMailProblem()
  if (problem) log.error(`${problem} Emails are queued and retried. Check SMTP_URL and the mail server.`)
}

/** The work of each start. */
function doStartWork(): Promise<unknown> {
  return Promise.all([scheduleFirstPosts(), rerenderPosts(), createSampleProducts(), refreshServiceHours(), adoptCalls()])
}
