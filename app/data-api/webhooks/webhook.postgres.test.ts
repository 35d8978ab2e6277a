import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startReceiver } from '#test/webhook-receiver.ts'

/** The product once more, with modules, connections and a worker of its own, as in another process. */
async function startProcess() {
  vi.resetModules()
  const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
  await openDatabase()
  const { startJobs, stopJobs } = await import('#app/platform/jobs/job-worker.server.ts')
  await import('./delivery.server.ts')
  await import('#app/account/notifications/notification.server.ts')
  const { createWebhookEndpoint } = await import('./endpoint.server.ts')
  const { emitWebhook } = await import('#app/platform/jobs/webhook-event.server.ts')
  const { enqueue } = await import('#app/platform/jobs.server.ts')
  const { dispatchDue } = await import('#app/account/notifications/dispatch.server.ts')
  const { notificationJob } = await import('#app/account/notifications/notification.server.ts')
  // Only an open database has it.
  const { db, insert, newId, transaction } = await import('#app/platform/database/db.server.ts')
  startJobs()
  const stop = async () => {
    await stopJobs()
    await closeDatabase()
  }
  return { db, insert, newId, transaction, createWebhookEndpoint, emitWebhook, enqueue, dispatchDue, notificationJob, stop }
}

type Running = Awaited<ReturnType<typeof startProcess>>

const running: Running[] = []
beforeAll(async () => {
  running.push(await startProcess(), await startProcess())
})
afterAll(async () => {
  for (const { stop } of running) await stop()
})

function processAt(at: number): Running {
  const found = running[at % running.length]
  if (!found) throw new Error('No process was started.')
  return found
}

test('two processes deliver each event once, also while the receiver is slow', async () => {
  const times = new Map<string, number>()
  const open = new Set<string>()
  let overlapping = 0
  const { url, stop } = await startReceiver((response, { headers }) => {
    const id = headers['webhook-id'] ?? ''
    if (open.has(id)) overlapping += 1
    open.add(id)
    setTimeout(() => {
      open.delete(id)
      times.set(id, (times.get(id) ?? 0) + 1)
      response.end()
    }, 20)
  })
  const one = processAt(0)
  await one.createWebhookEndpoint({ label: 'CRM', url, events: ['lead.created'], format: 'standard' }, { id: one.newId() })
  for (let count = 0; count < 60; count += 1) {
    const { emitWebhook, newId, transaction } = processAt(count)
    await transaction((trx) => emitWebhook(trx, 'lead.created', () => [{ subjectId: newId(), data: { count } }]))
  }
  await expect.poll(() => times.size, { timeout: 60_000 }).toBe(60)
  await expect
    .poll(async () => (await one.db.selectFrom('webhookDeliveries').select('id').where('state', '=', 'delivered').execute()).length)
    .toBe(60)
  expect([overlapping, [...times.values()].filter((count) => count !== 1)]).toEqual([0, []])
  await stop()
})

test('a digest that is due leaves once, when two processes send it at the same moment', async () => {
  const one = processAt(0)
  const email = `staff-${one.newId()}@example.com`
  const user = await one.insert(one.db, 'users', { email, emailConfirmedAt: new Date(), appMetadata: JSON.stringify({ role: 'staff' }) })
  const channels = JSON.stringify({ mention: { email: 'digest', push: false } })
  await one.db.insertInto('notificationPreferences').values({ userId: user.id, zone: 'UTC', channels }).execute()
  for (let count = 0; count < 5; count += 1) {
    const notice = { kind: 'mention' as const, title: `Note ${count}`, link: '/', dedupeKey: one.newId(), to: { userIds: [user.id] } }
    await one.enqueue(one.db, one.notificationJob(notice))
  }
  const planned = () => one.db.selectFrom('notificationDispatches').selectAll().where('userId', '=', user.id).execute()
  await expect.poll(async () => (await planned()).length).toBe(5)
  const dueAt = new Date(Date.now() + 25 * 3_600_000).toISOString()
  await Promise.all(Array.from({ length: 10 }, (_, time) => processAt(time).dispatchDue({ userId: user.id, channel: 'email', dueAt })))
  const emails = await one.db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
  expect(emails.map(({ payload }) => JSON.stringify(payload)).filter((json) => json.includes(email))).toHaveLength(1)
})
