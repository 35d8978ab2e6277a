import { rmSync } from 'node:fs'
import { afterAll, inject, vi } from 'vitest'
import { freePort } from './postgres.ts'
import { useSettings } from './settings.ts'
import { copyTemplate } from './template.ts'

export const PUBLISHABLE_KEY = 'sb_publishable_for-everyone'

type Wish = { project?: Record<string, string>; product?: Record<string, string>; withSecretKey?: boolean }

/**
 * Two installations with separate modules and databases, as in two processes. One plays the hosted service and gets only requests of the auth
 * protocol over HTTP; the other is the product that uses it. `asked` lists the requests to the first.
 */
export async function startHosted({ project = {}, product = {}, withSecretKey = false }: Wish = {}) {
  const dataDir = process.env['DATA_DIR'] ?? ''
  const service = await startProject(project)
  const secret: Record<string, string> = withSecretKey ? { SUPABASE_SECRET_KEY: service.secretKey } : {}
  useSettings({ DATA_DIR: dataDir, SUPABASE_URL: service.url, SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY, ...secret, ...product })
  vi.resetModules()
  const { openDatabase, closeDatabase } = await import('#app/platform/database/open.server.ts')
  const { createApp } = await import('#app/server.ts')
  const data = await import('#app/platform/database/db.server.ts')
  const { directory } = await import('#app/auth/directory/directory.server.ts')
  const { settleOwner } = await import('#app/auth/users/owner.server.ts')
  const { startJobs, stopJobs } = await import('#app/platform/jobs/job-worker.server.ts')
  const { jobKinds } = await import('#app/platform/jobs.server.ts')
  const { forgetLimits } = await import('./auth.ts')
  const { emailsTo } = await import('./emails.ts')
  await openDatabase()
  const app = await createApp()
  await app.ready()
  afterAll(async () => {
    await stopJobs()
    await app.close()
    await closeDatabase()
  })
  /** Moves an account deletion past its fourteen days, and runs jobs until none is left. */
  async function waitFourteenDays() {
    const dueAt = new Date(Date.now() - 1000)
    await data.db.updateTable('accountDeletions').set({ dueAt }).execute()
    await data.db.updateTable('jobs').set({ runAt: dueAt }).where('kind', '=', 'account-deletion').execute()
    startJobs()
    const kinds = ['account-deletion', 'hosted-account-removal']
    // A running job can enqueue another one. A failed attempt is over.
    const waiting = data.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', 'in', kinds)
      .where('doneAt', 'is', null)
      .where((job) => job.or([job('attempts', '=', 0), job('lockedUntil', 'is not', null)]))
    await vi.waitUntil(async () => (await waiting.execute()).length === 0, { timeout: 10_000 })
    await stopJobs()
  }
  const runJob = async (kind: string) => jobKinds().get(kind)?.run(null, { id: '', attempt: 1, signal: new AbortController().signal })
  return { service, app, db: data.db, directory, settleOwner, forgetLimits, emailsTo, waitFourteenDays, runJob }
}

async function startProject(settings: Record<string, string>) {
  const folder = copyTemplate(inject('template'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  useSettings({ DATA_DIR: folder, SITE_URL: url, TRUST_PROXY: '127.0.0.1', OWNER_EMAIL: 'nobody@example.com', ...settings })
  vi.resetModules()
  const { openDatabase, closeDatabase } = await import('#app/platform/database/open.server.ts')
  const { createApp } = await import('#app/server.ts')
  const data = await import('#app/platform/database/db.server.ts')
  const { makeServiceKey } = await import('#app/auth/sessions/jwt.server.ts')
  const { startJobs, stopJobs } = await import('#app/platform/jobs/job-worker.server.ts')
  const { secretsOf, emailsTo } = await import('./emails.ts')
  const { forgetLimits } = await import('./auth.ts')
  const { env } = await import('#app/platform/env.server.ts')
  await openDatabase()
  const app = await createApp()
  const asked: { method: string; path: string; headers: Record<string, unknown> }[] = []
  app.addHook('onRequest', async ({ method, url: path, headers }) => void asked.push({ method, path, headers }))
  await app.listen({ port, host: '127.0.0.1' })
  startJobs()
  const secretKey = await makeServiceKey(1)
  let isUp = true
  const stop = async () => {
    if (!isUp) return
    isUp = false
    await stopJobs()
    await app.close()
    await closeDatabase()
  }
  afterAll(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { url, app, env, db: data.db, asked, secretKey, secretsOf, emailsTo, forgetLimits, stop }
}
