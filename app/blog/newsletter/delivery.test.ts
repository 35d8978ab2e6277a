import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { closeTransport } from '#app/mail/transport.server.ts'
import { eventually } from '#test/eventually.ts'
import { makePost } from '#test/factories.ts'
import { listNewsletterPosts, retryIssue, sendIssue } from './issue.server.ts'
import { unsubscribeToken } from './subscriber.server.ts'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  process.env.MAIL_FROM = 'Winnow <hello@winnow.example>'
  return opened
})

beforeAll(openDatabase)
beforeEach(() => {
  server.received.splice(0)
  server.answer = 'take'
})
afterEach(async () => {
  await stopJobs()
  for (const table of ['newsletterIssues', 'newsletterSubscribers', 'jobs'] as const) await db.deleteFrom(table).execute()
})
afterAll(async () => {
  closeTransport()
  await server.close()
  await closeDatabase()
})

const makeReader = (email = `reader-${newId()}@example.com`) =>
  insert(db, 'newsletterSubscribers', { email, source: 'blog', confirmedAt: new Date('2026-01-01') })
const issueOf = async (id: string) => (await listNewsletterPosts()).posts.find((post) => post.id === id)?.issue
const reaches = (id: string, expected: object) => eventually(async () => expect(await issueOf(id)).toMatchObject(expected))

test('each email has the headers for one click, both forms of its text, and one Message-ID for good', async () => {
  const { id: postId } = await makePost({ title: 'Zeilen — not words', excerpt: 'A table.' })
  const reader = await makeReader()
  await sendIssue(postId, newId())
  startJobs()
  await reaches(postId, { sent: 1, waiting: 0 })
  const [email, ...more] = server.received
  expect(more).toEqual([])
  const header = (name: string) => email?.headers.find(({ key }) => key === name)?.value
  expect(email).toMatchObject({ subject: 'Zeilen — not words', to: [{ address: reader.email }] })
  expect(header('list-unsubscribe')).toBe(`<http://localhost:3000/newsletter/unsubscribe?token=${unsubscribeToken(reader.id)}>`)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('list-id')).toBe('<newsletter.localhost>')
  expect(header('auto-submitted')).toBe('auto-generated')
  expect(email?.text).toContain('A table.')
  expect(email?.html).toContain('Read the post')
  const delivery = await db.selectFrom('newsletterDeliveries').select('id').executeTakeFirstOrThrow()
  expect(email?.messageId).toBe(`<${delivery.id}@localhost>`)
})

test('an address that the mail server rejects is marked and gets nothing more; no staff is alarmed', async () => {
  const [first, second] = [await makePost(), await makePost()]
  const reader = await makeReader()
  server.answer = 550
  await sendIssue(first.id, newId())
  startJobs()
  await reaches(first.id, { bounced: 1, sent: 0, failed: 0, waiting: 0 })
  const row = await db.selectFrom('newsletterSubscribers').selectAll().where('id', '=', reader.id).executeTakeFirstOrThrow()
  expect(row.bouncedAt).toBeInstanceOf(Date)
  await expect(sendIssue(second.id, newId())).rejects.toMatchObject({ data: 'There are no confirmed subscribers yet.' })
  expect(await db.selectFrom('jobs').select('id').where('failedAt', 'is not', null).execute()).toEqual([])
})

test('a mail server that refuses for now gets it again later, and the address is not marked', async () => {
  const { id: postId } = await makePost()
  const reader = await makeReader()
  server.answer = 450
  await sendIssue(postId, newId())
  startJobs()
  await eventually(async () => {
    const job = await db.selectFrom('jobs').selectAll().where('kind', '=', 'newsletter.deliver').executeTakeFirst()
    expect(job).toMatchObject({ lastError: 'The mail server rejected this email for now (450).', failedAt: null })
  })
  expect(await issueOf(postId)).toMatchObject({ waiting: 1, bounced: 0 })
  server.answer = 'take'
  await db.updateTable('jobs').set({ runAt: new Date() }).where('kind', '=', 'newsletter.deliver').execute()
  await reaches(postId, { sent: 1, waiting: 0 })
  expect(server.received.map(({ to }) => to?.[0]?.address)).toEqual([reader.email])
})

test('an email that failed twelve times is counted as failed, and staff send it again', async () => {
  const { id: postId } = await makePost()
  await makeReader()
  server.answer = 450
  await sendIssue(postId, newId())
  startJobs()
  await eventually(async () => {
    const job = await db.selectFrom('jobs').select('attempts').where('kind', '=', 'newsletter.deliver').executeTakeFirst()
    expect(job?.attempts).toBe(1)
  })
  await stopJobs()
  await db.updateTable('jobs').set({ attempts: 11, runAt: new Date() }).where('kind', '=', 'newsletter.deliver').execute()
  startJobs()
  await reaches(postId, { failed: 1, waiting: 0 })
  server.answer = 'take'
  expect(await retryIssue(postId)).toMatchObject({ failed: 0, waiting: 1 })
  await reaches(postId, { sent: 1, failed: 0, waiting: 0 })
  expect(server.received).toHaveLength(1)
})
