import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { makeUser } from '#test/factories.ts'
import { welcome } from './welcome.server.ts'

beforeAll(openDatabase)
beforeEach(() => db.updateTable('installation').set({ ownerId: null }).execute())
afterAll(closeDatabase)

const here = { SITE_URL: 'http://localhost:3000', OWNER_EMAIL: undefined, SMTP_URL: undefined, isInboxOpen: true }
const forOthers = { SITE_URL: 'https://winnow.example', OWNER_EMAIL: 'olive@winnow.example', SMTP_URL: undefined, isInboxOpen: false }

/** Its lines, without the space around them. */
const linesOf = async (installation: Parameters<typeof welcome>[0]) =>
  (await welcome(installation)).split('\n').flatMap((line) => line.trim() || [])

async function becomeOwned() {
  const { id } = await makeUser()
  await db.updateTable('installation').set({ ownerId: id }).execute()
}

test('the first start on a development machine prints the URL of the site, the steps to create the owner, and the URL of the emails', async () => {
  expect(await welcome(here)).toBe(`
  Winnow is ready at http://localhost:3000

  First, create the owner: sign up at http://localhost:3000/login
  and follow the link in the email.
  Read emails at http://localhost:3000/dev/mail (SMTP_URL is not set).

`)
})

test('without a setting of any kind it says just that', async () => {
  expect(await welcome()).toBe(await welcome(here))
})

test('it names the configured owner, and says that emails stay in the outbox without a mail server', async () => {
  expect(await linesOf(forOthers)).toEqual([
    'Winnow is ready at https://winnow.example',
    'First, create the owner: sign up as olive@winnow.example at https://winnow.example/login',
    'and follow the link in the email.',
    'Emails stay in the outbox until SMTP_URL is set.',
  ])
})

test('with an owner nothing is left to be done first', async () => {
  await becomeOwned()
  expect(await linesOf(here)).toEqual([
    'Winnow is ready at http://localhost:3000',
    'Read emails at http://localhost:3000/dev/mail (SMTP_URL is not set).',
  ])
  expect(await linesOf(forOthers)).toEqual([
    'Winnow is ready at https://winnow.example',
    'Emails stay in the outbox until SMTP_URL is set.',
  ])
})

test.each([here, forOthers])('a mail server is named without its user and its password', async (installation) => {
  const lines = await linesOf({ ...installation, SMTP_URL: 'smtps://olive:hunter2@mail.winnow.example:465' })
  expect(lines.at(-1)).toBe('Emails are sent through mail.winnow.example:465.')
  expect(lines.join(' ')).not.toMatch(/hunter2|olive:/)
})
