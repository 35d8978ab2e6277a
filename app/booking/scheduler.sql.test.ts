import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { BOOKING_WEBHOOK_SECRET: 'a secret of sixteen', BOOKING_URL: 'https://cal.example.com/winnow/30min' })
})

import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { MONDAY, on } from '#test/bookings.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeContact } from '#test/factories.ts'

const app = await startEndpoints()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
afterAll(() => void vi.useRealTimers())
beforeEach(empty)

async function empty() {
  vi.setSystemTime(MONDAY)
  await forgetLimits()
  for (const table of ['bookings', 'consultations', 'contacts', 'people'] as const) await db.deleteFrom(table).execute()
}

const SECRET = 'a secret of sixteen'
const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text).digest('hex')
const seconds = () => Math.floor(Date.now() / 1000)

type Sent = { scheduler: 'calendly' | 'cal'; body: object }

async function send({ scheduler, body }: Sent, { secret = SECRET, at = seconds() } = {}) {
  const payload = JSON.stringify(body)
  const signature =
    scheduler === 'calendly'
      ? { 'calendly-webhook-signature': `t=${at},v1=${hmac(`${at}.${payload}`, secret)}` }
      : { 'x-cal-signature-256': hmac(payload, secret) }
  const headers = { 'content-type': 'application/json', ...signature }
  return app.inject({ method: 'POST', url: `/api/booking/webhooks/${scheduler}`, headers, payload })
}

type Told = { id: string; hour: number; email?: string; before?: string; after?: string; createdAt?: string }

const startOf = (hour: number) => on(1, `${String(hour).padStart(2, '0')}:00`)
const endOf = (hour: number) => on(1, `${String(hour).padStart(2, '0')}:30`)

function calendly(
  event: 'invitee.created' | 'invitee.canceled',
  { id, hour, email = 'ada@analytical.example', before, after }: Told,
): Sent {
  const payload = {
    uri: `https://api.calendly.com/invitees/${id}`,
    name: 'Ada Lovelace',
    email,
    timezone: 'Europe/London',
    old_invitee: before ? `https://api.calendly.com/invitees/${before}` : null,
    new_invitee: after ? `https://api.calendly.com/invitees/${after}` : null,
    questions_and_answers: [{ question: 'What is it about?', answer: 'Prices of 40 shops.' }],
    scheduled_event: { start_time: startOf(hour), end_time: endOf(hour) },
  }
  return { scheduler: 'calendly', body: { event, created_at: new Date().toISOString(), payload } }
}

function cal(
  triggerEvent: string,
  { id, hour, email = 'ada@analytical.example', before, createdAt = new Date().toISOString() }: Told,
): Sent {
  const attendees = [{ name: 'Ada Lovelace', email, timeZone: 'Europe/London' }]
  const payload = {
    uid: id,
    rescheduleUid: before,
    startTime: startOf(hour),
    endTime: endOf(hour),
    additionalNotes: 'Prices of 40 shops.',
    attendees,
  }
  return { scheduler: 'cal', body: { triggerEvent, createdAt, payload } }
}

/** Each booking with the group of those that share its consultation, and whether the enquiry shows it. */
async function state() {
  const rows = await db.selectFrom('bookings').selectAll().orderBy('externalId').execute()
  const groups = [...new Set(rows.map(({ consultationId }) => consultationId))]
  const consultations = await db.selectFrom('consultations').selectAll().execute()
  const linked = consultations.filter(({ contactId }) => contactId !== null).map(({ id }) => groups.indexOf(id))
  return {
    bookings: rows.map(({ externalId, status, startsAt, email, consultationId }) =>
      [externalId?.split('/').at(-1), status, startsAt.toISOString(), email, groups.indexOf(consultationId)].join(' '),
    ),
    consultations: consultations.length,
    linked,
  }
}

test('a call that is booked in Calendly becomes a consultation of the lead, and one that is cancelled stays in the list', async () => {
  const contact = await makeContact({ email: 'ada@analytical.example' })
  expect((await send(calendly('invitee.created', { id: 'a', hour: 9 }))).statusCode).toBe(204)
  const [consultation] = await db.selectFrom('consultations').selectAll().execute()
  expect(consultation).toMatchObject({
    source: 'booking',
    contactId: contact.id,
    projectDescription: 'What is it about?\nPrices of 40 shops.',
  })
  await send(calendly('invitee.canceled', { id: 'a', hour: 9 }))
  expect(await state()).toMatchObject({ bookings: [`a cancelled ${startOf(9)} ada@analytical.example 0`], consultations: 1, linked: [] })
})

/** Three people: one books; one moves twice; one moves and cancels. */
const stories: Record<'calendly' | 'cal', Sent[]> = {
  calendly: [
    calendly('invitee.created', { id: 'a', hour: 9, email: 'a@one.example' }),
    calendly('invitee.created', { id: 'b1', hour: 10, email: 'b@two.example' }),
    calendly('invitee.canceled', { id: 'b1', hour: 10, email: 'b@two.example', after: 'b2' }),
    calendly('invitee.created', { id: 'b2', hour: 11, email: 'b@two.example', before: 'b1' }),
    calendly('invitee.canceled', { id: 'b2', hour: 11, email: 'b@two.example', after: 'b3' }),
    calendly('invitee.created', { id: 'b3', hour: 12, email: 'b@two.example', before: 'b2' }),
    calendly('invitee.created', { id: 'c1', hour: 13, email: 'c@three.example' }),
    calendly('invitee.canceled', { id: 'c1', hour: 13, email: 'c@three.example', after: 'c2' }),
    calendly('invitee.created', { id: 'c2', hour: 14, email: 'c@three.example', before: 'c1' }),
    calendly('invitee.canceled', { id: 'c2', hour: 14, email: 'c@three.example' }),
  ],
  cal: [
    cal('BOOKING_CREATED', { id: 'a', hour: 9, email: 'a@one.example' }),
    cal('BOOKING_CREATED', { id: 'b1', hour: 10, email: 'b@two.example' }),
    cal('BOOKING_RESCHEDULED', { id: 'b2', hour: 11, email: 'b@two.example', before: 'b1' }),
    cal('BOOKING_RESCHEDULED', { id: 'b3', hour: 12, email: 'b@two.example', before: 'b2' }),
    cal('BOOKING_CREATED', { id: 'c1', hour: 13, email: 'c@three.example' }),
    cal('BOOKING_RESCHEDULED', { id: 'c2', hour: 14, email: 'c@three.example', before: 'c1' }),
    cal('BOOKING_CANCELLED', { id: 'c2', hour: 14, email: 'c@three.example' }),
  ],
}

const truth = {
  bookings: [
    `a booked ${startOf(9)} a@one.example 0`,
    `b1 cancelled ${startOf(10)} b@two.example 1`,
    `b2 cancelled ${startOf(11)} b@two.example 1`,
    `b3 booked ${startOf(12)} b@two.example 1`,
    `c1 cancelled ${startOf(13)} c@three.example 2`,
    `c2 cancelled ${startOf(14)} c@three.example 2`,
  ],
  consultations: 3,
  linked: [0, 1],
}

test.each(['calendly', 'cal'] as const)(
  'events of %s that come up to five times, in any order, among forged and late ones, end in the truth',
  async (scheduler) => {
    const events = stories[scheduler]
    const orders = fc
      .tuple(...events.map((event) => fc.integer({ min: 1, max: 5 }).map((times) => Array.from({ length: times }, () => event))))
      .chain((copies) => fc.shuffledSubarray(copies.flat(), { minLength: copies.flat().length }))
    const property = fc.asyncProperty(orders, async (sent) => {
      await empty()
      for (const email of ['a@one.example', 'b@two.example', 'c@three.example']) await makeContact({ email })
      for (const event of sent) {
        const forged = await send({ ...event, body: { ...event.body, extra: 1 } }, { secret: 'another secret of theirs' })
        expect(forged.statusCode).toBe(403)
        expect((await send(event)).statusCode).toBe(204)
      }
      const found = await state()
      expect({ ...found, linked: found.linked.toSorted((one, other) => one - other) }).toEqual(truth)
    })
    await fc.assert(property, { numRuns: 8, seed: 20_261_125 })
  },
)

test.each(['calendly', 'cal'] as const)(
  'events of %s that come again after newer ones, and six times at the same moment, are all accepted and change nothing',
  async (scheduler) => {
    for (const email of ['a@one.example', 'b@two.example', 'c@three.example']) await makeContact({ email })
    // The scheduler sent each of them a second after the one before.
    const dated = stories[scheduler].map((event, at) => ({ ...event, body: { ...event.body, ...createdAt(at) } }))
    const sendAll = async (events: Sent[]) => Promise.all(events.map(async (event) => (await send(event)).statusCode))
    for (const event of dated.toReversed()) expect((await send(event)).statusCode).toBe(204)
    for (const event of dated) expect(await sendAll(Array.from({ length: 6 }, () => event))).toEqual(Array(6).fill(204))
    const found = await state()
    expect({ ...found, linked: found.linked.toSorted((one, other) => one - other) }).toEqual(truth)
  },
)

function createdAt(second: number) {
  const moment = new Date(Date.now() + second * 1000).toISOString()
  return { created_at: moment, createdAt: moment }
}

test('an event that is older than five minutes is refused, as are an altered one, one without a signature, and nonsense', async () => {
  const event = calendly('invitee.created', { id: 'a', hour: 9 })
  const late = await send(event, { at: seconds() - 301 })
  expect([late.statusCode, late.json().code]).toEqual([403, 'stale'])
  const old = await send(cal('BOOKING_CREATED', { id: 'a', hour: 9, createdAt: new Date(Date.now() - 301_000).toISOString() }))
  expect([old.statusCode, old.json().code]).toEqual([403, 'stale'])
  const headers = { 'content-type': 'application/json' }
  const unsigned = await app.inject({ method: 'POST', url: '/api/booking/webhooks/cal', headers, payload: '{}' })
  expect([unsigned.statusCode, unsigned.json().code]).toEqual([403, 'bad_signature'])
  expect((await send({ scheduler: 'cal', body: { triggerEvent: 'BOOKING_CREATED' } })).statusCode).toBe(422)
  expect((await send({ scheduler: 'cal', body: { triggerEvent: 'MEETING_ENDED' } })).statusCode).toBe(204)
  expect((await state()).bookings).toEqual([])
})

test.each(['webhook', 'page'])(
  'what the page of an embedded calendar tells is unverified until the webhook tells the same: the %s first',
  async (first) => {
    const payload = { name: 'Ada', email: 'ada@analytical.example', startsAt: startOf(9) }
    const tellPage = async () =>
      app.inject({ method: 'POST', url: '/api/booking/embedded', headers: { 'sec-fetch-site': 'same-origin' }, payload })
    const webhook = calendly('invitee.created', { id: 'a', hour: 9 })
    if (first === 'webhook') await send(webhook)
    expect((await tellPage()).statusCode).toBe(204)
    const [told] = await db.selectFrom('bookings').selectAll().execute()
    expect(told?.isVerified).toBe(first === 'webhook')
    if (first === 'page') await send(webhook)
    const all = await db.selectFrom('bookings').selectAll().execute()
    expect(all.map(({ source, isVerified, name }) => [source, isVerified, name])).toEqual([['calendly', true, 'Ada Lovelace']])
    expect(await db.selectFrom('consultations').select('id').execute()).toHaveLength(1)
  },
)
