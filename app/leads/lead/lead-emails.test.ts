import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { callToken } from './call-link.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, forgetLimits, sampleEnquiries, sendEnquiry } from '#test/enquiries.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(async () => {
  await forgetLimits()
  await db.deleteFrom('jobs').execute()
})

const received = new Date('2026-10-05T09:00:00Z')
const spam = { ...ada, message: 'We sell high-quality backlinks and guest posts, <a href="https://spam.example">here</a>' }

/** Renders the email of a kind as its recipient sees it. */
async function emailTo(address: string, kind: string) {
  const email = (await emailsTo(address)).find((candidate) => candidate.kind === kind)
  const { text, ...rendered } = await renderEmail(kind, JSON.stringify(email?.data))
  return { ...rendered, text: text.replaceAll(/\s+/g, ' ') }
}

const atUtc = (moment: Date, hours: number) =>
  new RegExp(
    `${new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(
      moment.getTime() + hours * 3_600_000,
    )} at ${new Date(moment.getTime() + hours * 3_600_000).toISOString().slice(11, 16)} UTC`,
  )

describe('the acknowledgement', () => {
  test('holds the number, the two promises in hours, and by when each is kept', async () => {
    const { reference } = (await sendEnquiry(app, { ...sampleEnquiries.home, form: 'home' })).json()
    const { createdAt } = await db.selectFrom('contacts').select('createdAt').where('reference', '=', reference).executeTakeFirstOrThrow()

    const { subject, text } = await emailTo(ada.email, 'acknowledgement')
    expect(subject).toBe(`We have your enquiry ${reference}`)
    expect(text).toContain(`Its number is ${reference}`)
    const [, afterHours = '', afterDay = ''] = /Within 2 hours (.*) Within 24 hours (.*)/.exec(text) ?? []
    expect(afterHours).toContain('A person confirms that they have read it.')
    expect(afterHours).toMatch(atUtc(createdAt, 2))
    expect(afterDay).toContain('We reply with a proposal or with questions.')
    expect(afterDay).toMatch(atUtc(createdAt, 24))
  })

  test('says what was sent without a word of a stranger, and leads to a call about it', async () => {
    const { id, callUrl } = (await sendEnquiry(app, { ...sampleEnquiries.home, country: 'deutschland', form: 'home' })).json()

    const { text, html } = await emailTo(ada.email, 'acknowledgement')
    for (const part of [
      'Service Price Monitoring',
      'Budget $1,000 to $5,000',
      'Country Germany',
      `Message ${ada.message.length} characters`,
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain(ada.message)
    expect(text).not.toContain('deutschland')
    expect(callUrl).toBe(`/book?enquiry=${callToken(id)}`)
    expect(html).toContain(`http://localhost:3000${callUrl}`)
    expect(text).toContain('Book a free 30-minute call')
  })

  test('of an enquiry that was released a day later promises hours that are still to come, as do the clocks of both sides', async () => {
    const customer = await signIn('customer', { email: ada.email })
    const { id } = (await sendEnquiry(app, spam)).json()
    await sql`UPDATE contacts SET created_at = ${received} WHERE id = ${id}`.execute(db)
    await app.inject({ method: 'POST', url: `/api/contacts/${id}/release`, headers: staff.headers })
    const { releasedAt } = await db.selectFrom('contacts').select('releasedAt').where('id', '=', id).executeTakeFirstOrThrow()

    const { text } = await emailTo(ada.email, 'acknowledgement')
    expect(text).toMatch(/Received Monday, October 5 at 09:00 UTC/)
    expect(text).toMatch(new RegExp(`Within 2 hours .*${atUtc(releasedAt ?? received, 2).source}`))
    expect(text).toMatch(new RegExp(`Within 24 hours .*${atUtc(releasedAt ?? received, 24).source}`))

    const promisedFrom = releasedAt?.toISOString()
    const read = async (url: string, { headers }: SignedIn) => (await app.inject({ url, headers })).json()
    expect(await read(`/api/contacts/${id}`, staff)).toMatchObject({ createdAt: received.toISOString(), promisedFrom })
    expect(await read('/api/me/enquiries', customer)).toContainEqual(expect.objectContaining({ id, promisedFrom }))
    expect(await read('/api/workspace', staff)).toMatchObject({ overdue: { acknowledgement: 0, proposal: 0 } })
    expect(await read('/api/leads/summary', staff)).toMatchObject({ waiting: { overAcknowledgement: 0, overResponse: 0 } })
  })
})

test('the email to the business has the whole enquiry, and a reply to it goes to the visitor', async () => {
  const { id, reference } = (await sendEnquiry(app, { ...sampleEnquiries.home, form: 'home', company: 'Analytical Engines Ltd' })).json()

  const { subject, text, replyTo } = await emailTo('hello@localhost', 'new-lead')
  expect(subject).toBe(`New enquiry ${reference} from Ada Lovelace`)
  expect(replyTo).toBe(ada.email)
  for (const part of [
    `Reference ${reference}`,
    'Name Ada Lovelace',
    `Email ${ada.email}`,
    'Company Analytical Engines Ltd',
    'Country Germany',
    'Problem Price Monitoring',
    'Budget $1,000 to $5,000',
    'Timeframe As soon as possible',
    ada.message,
    `/dashboard?contact=${id}`,
  ]) {
    expect(text).toContain(part)
  }
})
