import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { type Dovecot, startCuttable, startDovecot } from '#test/dovecot.ts'
import { makeContact } from '#test/factories.ts'
import { mailboxAddressOf } from './mailbox-address.server.ts'
import { startMailbox, stopMailbox } from './mailbox-reader.server.ts'

let dovecot: Dovecot
beforeAll(async () => {
  dovecot = await startDovecot()
  await openDatabase()
})
afterAll(async () => {
  await closeDatabase()
  await dovecot.stop()
})

const emailFrom = (address: string, subject: string, id: string, more = '') =>
  [
    `From: <${address}>`,
    'To: hello@localhost',
    `Subject: ${subject}`,
    `Message-ID: <${id}@mail.example>`,
    `Date: ${new Date().toUTCString()}`,
    more,
    '',
    'The text.',
    '',
  ]
    .filter((line, at) => at !== 5 || line)
    .join('\r\n')

const subjects = async () =>
  (await db.selectFrom('leadMessages').select('subject').orderBy('subject').execute()).map(({ subject }) => subject)

test('emails are read once: waiting ones, arriving ones, and also after the server has reset their UIDs', async () => {
  const address = mailboxAddressOf(dovecot.urlOf('ada'))
  const start = () => startMailbox({ poll: 60_000, retry: 20 }, address)
  const sender = await dovecot.client('ada')
  await makeContact({ email: 'known@shop.example' })
  await sender.append('INBOX', emailFrom('known@shop.example', 'one', '1'))
  await sender.append('INBOX', emailFrom('someone@else.example', 'two', '2'))
  start()
  await expect.poll(subjects).toEqual(['one', 'two'])
  await sender.append('INBOX', emailFrom('someone@else.example', 'three', '3'))
  await expect.poll(subjects).toEqual(['one', 'three', 'two'])
  await stopMailbox()
  const rows = await db.selectFrom('leadMessages').select(['subject', 'contactId', 'matchedBy']).orderBy('subject').execute()
  expect(rows).toEqual([
    { subject: 'one', contactId: expect.any(String), matchedBy: 'sender' },
    { subject: 'three', contactId: null, matchedBy: null },
    { subject: 'two', contactId: null, matchedBy: null },
  ])

  const before = await db.selectFrom('mailboxes').selectAll().executeTakeFirstOrThrow()
  expect(before).toMatchObject({ lastUid: 3, error: null })
  await sender.logout()
  dovecot.renumber('ada')
  const again = await dovecot.client('ada')
  await again.append('INBOX', emailFrom('someone@else.example', 'four', '4'))
  await again.logout()
  start()
  await expect.poll(subjects).toEqual(['four', 'one', 'three', 'two'])
  await stopMailbox()
  const after = await db.selectFrom('mailboxes').selectAll().executeTakeFirstOrThrow()
  expect(after.uidValidity).not.toBe(before.uidValidity)
  expect(after.lastUid).toBe(4)
})

test('of an email that is too large, only the beginning is downloaded; a wrong password is told to staff', async () => {
  const line = await startCuttable(dovecot.port)
  const sender = await dovecot.client('bob')
  const head = emailFrom('someone@else.example', 'film', '5')
  await sender.append('INBOX', `${head}${'x'.repeat(27_000_000)}`)
  await sender.append('INBOX', emailFrom('someone@else.example', 'after the film', '6'))
  await sender.logout()
  startMailbox({ poll: 60_000, retry: 20 }, mailboxAddressOf(dovecot.urlOf('bob', line.port)))
  await expect.poll(subjects, { timeout: 30_000 }).toContain('after the film')
  await stopMailbox()
  expect(line.passed()).toBeLessThan(200_000)
  const film = await db.selectFrom('leadMessages').selectAll().where('subject', '=', 'film').executeTakeFirstOrThrow()
  expect(film).toMatchObject({ text: '', error: 'It is larger than 25 MB. Only its headers are stored.' })
  await line.stop()

  const wrong = mailboxAddressOf(dovecot.urlOf('bob').replace('secret', 'wrong'))
  startMailbox({ poll: 60_000, retry: 60_000 }, { ...wrong, name: 'wrong' })
  const error = async () => (await db.selectFrom('mailboxes').select('error').where('name', '=', 'wrong').executeTakeFirst())?.error
  await expect.poll(error, { timeout: 30_000 }).toBe('127.0.0.1 refuses the user name or the password of IMAP_URL.')
  await stopMailbox()
})
