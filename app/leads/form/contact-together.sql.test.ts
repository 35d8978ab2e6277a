import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { EMAIL_JOB } from '#app/mail/outbox.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { ada, forgetLimits, sendEnquiry } from '#test/enquiries.ts'

vi.mock(import('node:crypto'), async (importOriginal) => {
  const original = await importOriginal()
  return { ...original, randomInt: vi.fn<(below: number) => number>(original.randomInt) }
})

const app = await startEndpoints()
beforeEach(async () => {
  await forgetLimits()
  await sql`TRUNCATE contacts, people, jobs CASCADE`.execute(db)
})

const COUNT = 12

const addressOf = (index: number) => `sender-${index}@analytical.example`
const enquiryOf = (index: number) => ({ ...ada, email: addressOf(index), message: `This is enquiry number ${index}.` })

/** Sends enquiries at the same time. `change` gives some of them another body, or headers. */
async function sendTogether(change: (index: number) => { body?: object; headers?: Record<string, string> } = () => ({})) {
  return Promise.all(
    Array.from({ length: COUNT }, async (_, index) => {
      const { body, headers } = change(index)
      return sendEnquiry(app, { ...enquiryOf(index), ...body }, headers)
    }),
  )
}

const statuses = (replies: { statusCode: number }[]) => replies.map(({ statusCode }) => statusCode)
const allBut = (place: number, status: number) => Array.from({ length: COUNT }, (_, index) => (index === place ? status : 201))

/** Each stored enquiry has its message, its reference, its clocks, its two emails and its notification, all of them once. */
async function expectWhole(replies: Awaited<ReturnType<typeof sendTogether>>) {
  for (const [index, reply] of replies.entries()) {
    if (reply.statusCode !== 201) continue
    const { id, reference } = reply.json()
    const found = await db.selectFrom('contacts').selectAll().where('email', '=', addressOf(index)).execute()
    expect(found).toMatchObject([{ id, reference, message: enquiryOf(index).message }])
    const emails = await emailsTo(addressOf(index))
    expect(emails).toMatchObject([{ kind: 'acknowledgement', data: { reference } }])
    const clocks = await db.selectFrom('leadClocks').select(['clock', 'dueAt']).where('contactId', '=', id).execute()
    const dues = new Map(clocks.map(({ clock, dueAt }) => [clock, dueAt.toISOString()]))
    expect(dues.size).toBe(3)
    expect(emails[0]?.data).toMatchObject({ acknowledgeBy: dues.get('acknowledgement'), answerBy: dues.get('response') })
  }
  const stored = replies.filter(({ statusCode }) => statusCode === 201).length
  const count = async (table: 'contacts' | 'leads' | 'people') => (await db.selectFrom(table).selectAll().execute()).length
  expect([await count('contacts'), await count('leads'), await count('people')]).toEqual([stored, stored, stored])
  const jobs = await db.selectFrom('jobs').select(['kind', 'payload']).execute()
  expect(jobs.filter(({ kind }) => kind === EMAIL_JOB)).toHaveLength(2 * stored)
  const notices = jobs.filter(({ kind }) => kind === 'notifications.tell').map(({ payload }) => payload)
  expect(new Set(notices.map((notice) => JSON.stringify(notice))).size).toBe(stored)
  expect(notices).toHaveLength(stored)
}

describe('enquiries that arrive at the same time', () => {
  test('are each stored whole with their own emails', async () => {
    const replies = await sendTogether()

    expect(statuses(replies)).toEqual(allBut(-1, 201))
    expect(new Set(replies.map((reply) => reply.json().reference)).size).toBe(COUNT)
    await expectWhole(replies)
  })

  test('of one address, in any spelling, have one person, whom the first one names', async () => {
    const spell = (index: number) => (index % 2 ? 'Ada@Analytical.Example' : 'ada@analytical.example')
    const replies = await sendTogether((index) => ({ body: { email: spell(index) } }))

    expect(statuses(replies)).toEqual(allBut(-1, 201))
    const people = await db.selectFrom('people').selectAll().execute()
    expect(people).toMatchObject([{ name: ada.name }])
    const owners = await db.selectFrom('contacts').select('personId').execute()
    expect(owners).toEqual(Array.from({ length: COUNT }, () => ({ personId: people[0]?.id })))
  })

  test('are stored when one of them cannot be, which leaves nothing behind', async () => {
    await sql`ALTER TABLE leads ADD CONSTRAINT no_atlantis CHECK (country <> 'Atlantis')`.execute(db)
    const replies = await sendTogether((index) => (index === 7 ? { body: { country: 'Atlantis' } } : {}))
    await sql`ALTER TABLE leads DROP CONSTRAINT no_atlantis`.execute(db)

    expect(statuses(replies)).toEqual(allBut(7, 500))
    await expectWhole(replies)
    expect(await emailsTo(addressOf(7))).toEqual([])
  })

  test('are stored when one of them brings the key of another enquiry', async () => {
    await sendEnquiry(app, { ...ada, message: 'This came before the others.' }, { 'idempotency-key': 'taken' })
    await sql`TRUNCATE jobs`.execute(db)
    const replies = await sendTogether((index) => (index === 4 ? { headers: { 'idempotency-key': 'taken' } } : {}))

    expect(statuses(replies)).toEqual(allBut(4, 422))
    await sql`DELETE FROM contacts WHERE idempotency_key = 'taken'`.execute(db)
    await sql`DELETE FROM people WHERE email = ${ada.email}`.execute(db)
    await expectWhole(replies)
  })

  test('get references of their own when chance gives two of them the same', async () => {
    const random = vi.mocked(randomInt).mockClear()
    // The first two references of six characters.
    for (let place = 0; place < 12; place += 1) random.mockImplementationOnce(() => 0)
    const replies = await sendTogether()

    expect(random.mock.calls.length).toBeGreaterThan(6 * COUNT)
    expect(statuses(replies)).toEqual(allBut(-1, 201))
    expect(new Set(replies.map((reply) => reply.json().reference)).size).toBe(COUNT)
    await expectWhole(replies)
  })

  test('go to quarantine one by one, without an email', async () => {
    const spam = 'We sell high-quality backlinks and guest posts, <a href="https://spam.example">here</a>'
    const replies = await sendTogether((index) => (index === 2 ? { body: { message: spam } } : {}))

    expect(statuses(replies)).toEqual(allBut(-1, 201))
    const aside = await db.selectFrom('contacts').select('email').where('quarantinedAt', 'is not', null).execute()
    expect(aside).toEqual([{ email: addressOf(2) }])
    expect(await emailsTo(addressOf(2))).toEqual([])
    expect(await emailsTo(addressOf(3))).toHaveLength(1)
  })
})
