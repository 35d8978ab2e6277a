import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { eventually } from '#test/eventually.ts'
import { Action, EmailHeading } from './layout.tsx'
import './delivery.server.ts'
import { defineEmail } from './email.server.ts'
import { listEmails, retryEmail } from './emails.server.ts'
import { enqueueEmail } from './outbox.server.ts'
import { closeTransport } from './transport.server.ts'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  process.env.MAIL_FROM = 'Winnow <hello@winnow.example>'
  return opened
})

const greeting = defineEmail<{ name: string }>('greeting', ({ name }) => ({
  subject: `Good day, ${name}`,
  preview: 'A greeting.',
  replyTo: 'answers@winnow.example',
  body: <EmailHeading>Good day, {name}</EmailHeading>,
}))
const confirmation = defineEmail<{ link: string }>(
  'confirmation',
  ({ link }) => ({ subject: 'Confirm', preview: 'Confirm.', body: <Action href={link}>Confirm</Action> }),
  { secret: true },
)

const LINK = 'https://winnow.example/confirm?token=s3cr3t-t0k3n'

beforeAll(openDatabase)
beforeEach(() => {
  server.received.splice(0)
  server.answer = 'take'
})
afterEach(async () => {
  await stopJobs()
  await db.deleteFrom('jobs').execute()
})
afterAll(async () => {
  closeTransport()
  await server.close()
  await closeDatabase()
})

const everything = async () => JSON.stringify(await db.selectFrom('jobs').selectAll().execute())
const postOne = () => transaction((trx) => enqueueEmail(trx, greeting('ada@example.com', { name: 'Ada' })))
const newest = async () => {
  const [email] = await listEmails({ limit: 1 })
  if (!email) throw new Error('No email was enqueued.')
  return email
}
const reaches = (state: string) => eventually(async () => expect(await newest()).toMatchObject({ state }))
const fails = (reason: string) => eventually(async () => expect(await newest()).toMatchObject({ reason }))

test('a posted email arrives whole: sender, reader, both forms of its text, and marked as written by a program', async () => {
  startJobs()
  await postOne()
  await eventually(() => expect(server.received).toHaveLength(1))
  const [email] = server.received
  expect(email).toMatchObject({
    from: { name: 'Winnow', address: 'hello@winnow.example' },
    to: [{ address: 'ada@example.com' }],
    replyTo: [{ address: 'answers@winnow.example' }],
    subject: 'Good day, Ada',
  })
  expect(email?.text).toContain('Good day, Ada')
  expect(email?.html).toContain('<h1')
  expect(email?.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
  await reaches('sent')
})

test('two emails of one transaction arrive at two readers', async () => {
  startJobs()
  await transaction((trx) => enqueueEmail(trx, greeting('ada@example.com', { name: 'Ada' }), greeting('bob@example.com', { name: 'Bob' })))
  await eventually(() => expect(server.received).toHaveLength(2))
  expect(new Set(server.received.map(({ to }) => to?.[0]?.address))).toEqual(new Set(['ada@example.com', 'bob@example.com']))
})

test('an email that cannot leave now is tried again later, as the same email', async () => {
  server.answer = 450
  startJobs()
  await postOne()
  await fails('The mail server rejected this email for now (450).')
  const waiting = await newest()
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 })
  expect(Date.parse(waiting.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 5000)

  server.answer = 'take'
  const messageId = /<[^>]+@localhost>/.exec(await everything())?.[0]
  expect(messageId).toBeDefined()
  expect(await retryEmail(waiting.id)).toBe(true)
  await eventually(() => expect(server.received).toHaveLength(1))
  expect(server.received[0]?.messageId).toBe(messageId)
})

test('an email refused for good fails at once, without the address in the reason, and can be sent again', async () => {
  server.answer = 550
  startJobs()
  await postOne()
  await reaches('failed')
  const failed = await newest()
  expect(failed).toMatchObject({
    attempts: 1,
    reason: 'The mail server says that this address does not exist (550).',
    subject: 'Good day, Ada',
  })

  server.answer = 'take'
  expect(await retryEmail(failed.id)).toBe(true)
  await reaches('sent')
  expect(server.received).toHaveLength(1)
  expect(await retryEmail(failed.id)).toBe(false)
})

test('after its last attempt an email has failed', async () => {
  server.answer = 450
  await postOne()
  await db.updateTable('jobs').set({ attempts: 11 }).execute()
  startJobs()
  await reaches('failed')
  expect(await retryEmail((await newest()).id)).toBe(true)
  await eventually(async () => expect(await newest()).toMatchObject({ state: 'waiting', attempts: 13 }))
})

test('what an email says is forgotten once it is out; that it was sent is not', async () => {
  startJobs()
  await postOne()
  await reaches('sent')
  expect(await newest()).toMatchObject({ to: 'ada@example.com', subject: 'Good day, Ada', reason: null })
  expect(await everything()).not.toContain('"name"')
})

test('a secret is never in the database in clear, and nowhere once its email is out', async () => {
  await transaction((trx) => enqueueEmail(trx, confirmation('ada@example.com', { link: LINK })))
  const before = await everything()
  expect(before).toContain('sealed')
  expect(before).not.toContain('s3cr3t')
  expect(before).not.toContain(Buffer.from('s3cr3t-t0k3n').toString('base64').slice(0, 12))
  startJobs()
  await reaches('sent')
  expect(server.received[0]?.text).toContain(LINK)
  expect(await everything()).not.toContain('sealed')
})

test('a sealed email cannot be moved to another reader’s envelope', async () => {
  await transaction((trx) => enqueueEmail(trx, confirmation('ada@example.com', { link: LINK })))
  const { payload, id } = await db.selectFrom('jobs').select(['id', 'payload']).executeTakeFirstOrThrow()
  const moved = JSON.stringify(payload).replace('ada@example.com', 'eve@example.com')
  await db.updateTable('jobs').set({ payload: moved }).where('id', '=', id).execute()
  startJobs()
  await fails('Its sealed content cannot be opened with the key of this installation.')
  expect(server.received).toHaveLength(0)
})

const hostileAddresses = [
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com, eve@example.com',
  'Ada <ada@example.com>',
  'ada@example.com\n',
  'ada@exa\u0000mple.com',
  'ada@example.com@example.org',
  'ada',
  '',
]

test.each(hostileAddresses)('an address is one address, so %j is refused and nothing is kept', async (address) => {
  await expect(transaction((trx) => enqueueEmail(trx, greeting(address, { name: 'Ada' })))).rejects.toThrow('not one address')
  expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([])
})

test('a line break in a name adds no header', async () => {
  startJobs()
  await transaction((trx) => enqueueEmail(trx, greeting('ada@example.com', { name: 'Ada\r\nBcc: eve@example.com\r\n\r\nHello' })))
  await eventually(() => expect(server.received).toHaveLength(1))
  expect(server.received[0]).toMatchObject({ subject: 'Good day, Ada Bcc: eve@example.com Hello', to: [{ address: 'ada@example.com' }] })
  expect(server.received[0]?.bcc).toBeUndefined()
})
