import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

const server = await vi.hoisted(async () => {
  const { openMailServer } = await import('#test/mail-server.ts')
  const opened = await openMailServer()
  process.env.SMTP_URL = opened.url
  return opened
})

import { closeTransport } from '#app/mail/transport.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { announceFailedJobs } from '#app/platform/jobs.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { startEndpoints } from '#test/app.ts'
import { ada, forgetLimits, sendEnquiry } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { signIn } from '#test/factories.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
const read = async (url: string) => (await app.inject({ url, headers: staff.headers })).json()

beforeEach(async () => {
  await forgetLimits()
  for (const table of ['jobs', 'notifications', 'contacts', 'people'] as const) await db.deleteFrom(table).execute()
  server.answer = 550
  server.refusal = undefined
})
afterEach(async () => stopJobs())
afterAll(async () => {
  closeTransport()
  await server.close()
})

type Told = { kind: string; detail: Record<string, unknown> }

/** Sends Ada's enquiry while the mail server refuses with this text. Returns her lead, and what staff are told about her email. */
async function enquire(because: string) {
  server.because = because
  startJobs()
  const { reference } = (await sendEnquiry(app, ada)).json()
  const notices = async () => {
    const { items } = await read('/api/notifications?kind=email_failed')
    return items.filter(({ title }: { title: string }) => title.includes(ada.email))
  }
  await eventually(async () => expect(await notices()).toHaveLength(1))
  const failures = async (): Promise<Told[]> =>
    (await read(`/api/leads/${reference}/timeline`)).entries.filter(
      ({ kind, detail }: Told) => kind === 'email_failed' && String(detail['text']).includes(ada.email),
    )
  await eventually(async () => expect(await failures()).toHaveLength(1))
  return { reference, notice: (await notices())[0], failures, lead: await read(`/api/leads/${reference}`) }
}

test('an address that the mail server does not know is marked at its person, told in the timeline, and named in a notice', async () => {
  const { reference, notice, failures, lead } = await enquire('5.1.1 The email account that you tried to reach does not exist')
  const reason = 'The mail server says that this address does not exist (550 5.1.1).'
  expect(lead.person).toMatchObject({ email: ada.email, bouncedAt: expect.any(String), bounceReason: reason })
  expect((await failures())[0]?.detail).toMatchObject({ title: `We have your enquiry ${reference}`, text: `To ${ada.email}. ${reason}` })
  expect(notice).toMatchObject({
    title: `Email to ${ada.email} could not be delivered`,
    body: `We have your enquiry ${reference}. ${reason}`,
    link: `/leads/${reference}`,
  })

  // A process that was killed tells at the next look, and nobody is told twice.
  await announceFailedJobs(new Set(['letter']))
  expect(await failures()).toHaveLength(1)
})

const blocks = ['5.7.1 Service unavailable; client host [203.0.113.7] blocked', 'Relaying denied', 'Your network is on our block list']

test.each(blocks)('a mail server that blocks us says nothing about the address, so no person is marked: %s', async (because) => {
  const { notice, failures, lead } = await enquire(because)
  expect(lead.person).toMatchObject({ email: ada.email, bouncedAt: null, bounceReason: null })
  for (const text of [notice.body, String((await failures())[0]?.detail['text'])]) {
    expect(text).toContain('The mail server accepts no email from us for this address (550')
    expect(text).toContain('It may block our server or sender, or require a login.')
  }
})

test('a mailbox that is full is told as such, and its person is not marked: it has room again later', async () => {
  const { notice, lead } = await enquire('5.2.2 The recipient’s mailbox is over its quota')
  expect(lead.person).toMatchObject({ bouncedAt: null })
  expect(notice.body).toContain('The mailbox of this address is full (550 5.2.2).')
})

const tooLarge = [
  { code: 552, text: '5.3.4 Message size exceeds fixed limit' },
  { code: 552, text: 'Message too big' },
  { code: 550, text: '5.2.3 Message exceeds the maximum size of this mailbox' },
]

test.each(tooLarge)('an email that is too large for the mail server is told as such, not as spam: $code $text', async (refusal) => {
  server.answer = 'take'
  server.refusal = refusal
  const { notice } = await enquire('')
  expect(notice.body).toMatch(/The mail server refused this email as too large \(55[02]/)
  expect(notice.body).not.toContain('spam')
})
