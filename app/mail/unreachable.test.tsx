import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import './delivery.server.ts'
import { eventually } from '#test/eventually.ts'
import { defineEmail } from './email.server.ts'
import { listEmails } from './emails.server.ts'
import { enqueueEmail } from './outbox.server.ts'
import { findMailProblem } from './transport.server.ts'

vi.hoisted(() => {
  // Nothing listens on this port.
  process.env.SMTP_URL = 'smtp://ada:pa55w0rd@127.0.0.1:9'
})

const greeting = defineEmail<{ name: string }>('unreachable-greeting', ({ name }) => ({
  subject: `Good day, ${name}`,
  preview: '',
  body: name,
}))

beforeAll(openDatabase)
afterAll(async () => {
  await stopJobs()
  await closeDatabase()
})

test('while the mail server is away emails wait, and the reason gives away neither reader nor password', async () => {
  await transaction((trx) => enqueueEmail(trx, greeting('ada@example.com', { name: 'Ada' })))
  startJobs()
  await eventually(async () =>
    expect((await listEmails({ limit: 1 }))[0]?.reason).toMatch(/^The mail server could not be reached \(\w+\)\.$/),
  )
  expect(await listEmails({ limit: 1 })).toMatchObject([{ state: 'waiting', attempts: 1, subject: 'Good day, Ada' }])
})

test('a start says in a sentence that the mail server cannot be reached, without its password', async () => {
  expect(await findMailProblem()).toMatch(/^The mail server could not be reached \(\w+\)\.$/)
})
