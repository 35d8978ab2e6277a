import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import './delivery.server.ts'
import { eventually } from '#test/eventually.ts'
import { byLength } from '#test/length.ts'
import { defineEmail } from './email.server.ts'
import { enqueueEmail } from './outbox.server.ts'
import { closeTransport } from './transport.server.ts'

/** At full length, longer than common client timeouts, and together longer than a lease without renewal. */
const SLOW_MS = byLength(3000, 33_000)

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  return opened
})

const greeting = defineEmail<object>('slow-greeting', () => ({ subject: 'Good day', preview: '', body: 'Good day' }))

beforeAll(openDatabase)
afterAll(async () => {
  await stopJobs()
  closeTransport()
  await server.close()
  await closeDatabase()
})

const received = () => server.received.map(({ to }) => to?.[0]?.address ?? '').toSorted(byName)
const byName = (one: string, other: string) => one.localeCompare(other)

test('a mail server that takes its time gets each email once, and other work goes on meanwhile', async () => {
  server.delays = {
    rcpt: (address) => (address.startsWith('hesitant') ? SLOW_MS : 0),
    data: (address) => (/^(slow|hesitant)/.test(address) ? SLOW_MS : 0),
  }
  const note = vi.fn<() => Promise<void>>(async () => undefined)
  defineJob('note', z.null(), note)
  const slow = ['hesitant@example.com', ...Array.from({ length: 16 }, (_, at) => `slow${at}@example.com`)]
  await transaction((trx) => enqueueEmail(trx, ...slow.map((to) => greeting(to, {}))))
  startJobs()
  await eventually(() => expect(received()).toHaveLength(16))

  await transaction((trx) => enqueueEmail(trx, greeting('quick@example.com', {})))
  await enqueue(db, { kind: 'note', payload: null })
  await eventually(() => expect(received()).toContain('quick@example.com'))
  await eventually(() => expect(note).toHaveBeenCalledOnce())

  const unfinished = () => db.selectFrom('jobs').select('id').where('doneAt', 'is', null).execute()
  await eventually(async () => expect(await unfinished()).toEqual([]), { timeout: 100_000, interval: 500 })
  expect(received()).toEqual([...slow, 'quick@example.com'].toSorted(byName))
  const emails = await db.selectFrom('jobs').select('attempts').where('kind', '=', 'letter').execute()
  expect(emails.every(({ attempts }) => attempts === 1)).toBe(true)
})
