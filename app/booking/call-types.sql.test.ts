import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { writeEmail } from '#app/mail/email.server.ts'
import { startApp } from '#test/app.ts'
import { book, bookingClient, guest, MONDAY, on, resetCallTypes } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeContact, makeHost, makeUser, signIn } from '#test/factories.ts'
import { textOf } from '#test/read-page.ts'
import { CALENDAR } from './calendar/calendar.ts'
import { announceBookings } from './booking-signal.server.ts'
import { NOT_OFFERED } from './rules/booking.ts'

const app = await startApp()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
const [owner, staff, customer] = [await signIn('owner'), await signIn('staff'), await signIn('customer')]
// Processes tell each other which cached pages have changed.
beforeAll(openSignals)
afterAll(closeSignals)
afterAll(() => void vi.useRealTimers())
beforeEach(async () => {
  vi.setSystemTime(MONDAY)
  await forgetLimits()
  for (const table of ['bookings', 'bookingOverrides', 'bookingHosts', 'consultations', 'contacts', 'jobs'] as const)
    await db.deleteFrom(table).execute()
  await resetCallTypes()
  announceBookings()
})

const TYPES = `${CALENDAR}/types`
const workshop = {
  title: 'Workshop',
  slug: 'workshop',
  isActive: true,
  lengthMinutes: 90,
  stepMinutes: 30,
  changeWindowMinutes: 60,
  questions: [
    { label: 'How many shops?', isRequired: true },
    { label: 'Which prices?', isRequired: false },
  ],
  hours: null,
  place: null,
  noticeMinutes: null,
  bufferBeforeMinutes: null,
  bufferAfterMinutes: null,
}
/** On Tuesdays from 14:00 to 17:00, on the clock of the host. */
const tuesdays = [[], [{ from: '14:00', until: '17:00' }], [], [], [], [], []]

type Person = typeof owner
const ask = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { as = staff, body, version }: { as?: Person; body?: object; version?: number } = {},
) =>
  app.inject({
    method,
    url,
    headers: { ...as.headers, ...(version !== undefined && { 'if-match': `"${version}"` }) },
    ...(body && { payload: body }),
  })
const add = async (more: object = {}) => ask('POST', TYPES, { body: { ...workshop, ...more } })
const added = async (more: object = {}): Promise<string> => (await add(more)).json().id
const titles = async () => (await ask('GET', TYPES)).json().map(({ title }: { title: string }) => title)
const slots = async (type: string, day = 1): Promise<string[]> =>
  (await bookingClient(app)('GET', `/api/booking/slots?from=${on(day, '00:00')}&to=${on(day + 1, '00:00')}${type && `&type=${type}`}`))
    .json()
    .slots.map(({ startsAt }: { startsAt: string }) => startsAt)

/** 10:00 in Lagos on Tuesday. */
const TEN = on(1, '09:00')
const TWO = on(1, '13:00')

describe('staff', () => {
  test('add, save, order and delete call types; each save names its version, and a second tab learns of the first', async () => {
    const made = await add()
    expect([made.statusCode, made.json()]).toEqual([201, { ...workshop, id: expect.any(String), version: 1, ahead: 0, mayChange: true }])
    const { id } = made.json()
    const demo = await added({ title: 'Demo', slug: 'demo' })
    expect(await titles()).toEqual(['Free consultation', 'Workshop', 'Demo'])
    const [first] = (await ask('GET', TYPES)).json()
    expect(first).toMatchObject({ slug: null, lengthMinutes: 30, mayChange: false })

    const save = async (version: number) => ask('PUT', `${TYPES}/${id}`, { body: { ...workshop, title: 'Long workshop' }, version })
    expect((await save(1)).json()).toMatchObject({ title: 'Long workshop', version: 2 })
    const late = await save(1)
    expect([late.statusCode, late.json().code, late.json().current.version]).toEqual([409, 'edit_conflict', 2])

    expect((await ask('PUT', `${TYPES}/order`, { body: { ids: [demo, first.id, id] } })).statusCode).toBe(204)
    expect(await titles()).toEqual(['Demo', 'Free consultation', 'Long workshop'])
    expect((await ask('PUT', `${TYPES}/order`, { body: { ids: [demo, id] } })).statusCode).toBe(409)

    expect((await ask('DELETE', `${TYPES}/${demo}`)).statusCode).toBe(204)
    expect((await ask('DELETE', `${TYPES}/${demo}`)).statusCode).toBe(404)
    const refused = await ask('DELETE', `${TYPES}/${first.id}`, { as: owner })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'first_call_type'])
    expect(await titles()).toEqual(['Free consultation', 'Long workshop'])
    // The address is free again.
    expect((await add({ title: 'Demo', slug: 'demo' })).statusCode).toBe(201)
    const actions = await db.selectFrom('auditEvents').select('action').where('actorId', '=', staff.user.id).orderBy('id').execute()
    const seen = actions.map(({ action }) => action)
    for (const action of ['call_type_saved', 'call_types_ordered', 'call_type_removed']) expect(seen).toContain(action)
  })

  test('who give a kind its place tell the guests of its calls who were promised the link', async () => {
    await makeHost({ place: '' })
    const id = await added()
    const mine = (await book(bookingClient(app), TEN, { type: 'workshop', answers: ['40'] })).json()
    const other = (await book(bookingClient(app), TWO)).json()
    await db.deleteFrom('jobs').execute()
    const body = { ...workshop, place: 'https://meet.example/workshop' }
    expect((await ask('PUT', `${TYPES}/${id}`, { body, version: 1 })).statusCode).toBe(200)
    const placeOf = async (booking: string) => (await ask('GET', `/api/staff/bookings/${booking}`)).json().place
    expect([await placeOf(mine.id), await placeOf(other.id)]).toEqual(['https://meet.example/workshop', ''])
    const emails = await db.selectFrom('jobs').select('payload').where('kind', '=', 'letter').execute()
    expect(emails.map(({ payload }) => JSON.stringify(payload))).toEqual([expect.stringContaining('call-placed')])

    // The first kind has the calls that name none.
    const [first] = (await ask('GET', TYPES)).json()
    const { id: firstId, version, ahead: _ahead, mayChange: _mayChange, ...kind } = first
    const saved = await ask('PUT', `${TYPES}/${firstId}`, { as: owner, version, body: { ...kind, place: 'https://meet.example/first' } })
    expect([saved.statusCode, await placeOf(other.id)]).toEqual([200, 'https://meet.example/first'])
  })

  test('ask before a kind with calls ahead goes: these stay booked, with its title', async () => {
    await makeHost()
    const id = await added()
    const booked = await book(bookingClient(app), TEN, { type: 'workshop', answers: ['40'] })
    expect((await ask('GET', TYPES)).json()[1].ahead).toBe(1)
    const refused = await ask('DELETE', `${TYPES}/${id}`)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'has_calls'])
    expect((await ask('DELETE', `${TYPES}/${id}?calls=keep`)).statusCode).toBe(204)
    expect((await ask('GET', `/api/staff/bookings/${booked.json().id}`)).json()).toMatchObject({ status: 'booked', title: 'Workshop' })
    const moved = await ask('GET', '/api/staff/bookings')
    expect(moved.json()).toHaveLength(1)
    const token = booked.json().manageUrl.split('/').at(-1)
    const change = await bookingClient(app)('PATCH', `/api/bookings/${token}`, { startsAt: on(2, '09:00') })
    expect([change.statusCode, change.json().title, change.json().endsAt]).toEqual([200, 'Workshop', on(2, '10:30')])
  })

  test.each([
    ['lengthMinutes', { lengthMinutes: 0 }],
    ['lengthMinutes', { lengthMinutes: 13 * 60 }],
    ['questions.0.label', { questions: [{ label: '', isRequired: true }] }],
    ['questions', { questions: Array.from({ length: 200 }, () => ({ label: 'Why?', isRequired: false })) }],
    ['slug', { slug: 'Two words' }],
    ['slug', { slug: 'manage' }],
    ['slug', { slug: null }],
    ['slug', { slug: '' }],
    ['title', { title: ' ' }],
    ['hours.1', { hours: [[], [{ from: '17:00', until: '14:00' }], [], [], [], [], []] }],
  ])('get a sentence for a wrong %s', async (field, wrong) => {
    const reply = await add(wrong)
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
  })

  test('get a sentence for an address that another kind has, also on a save, and for more kinds than a list can have', async () => {
    await added()
    expect((await add()).json().errors).toEqual({ slug: 'Another call type has this address' })
    const demo = await added({ slug: 'demo' })
    expect((await ask('PUT', `${TYPES}/${demo}`, { body: workshop, version: 1 })).statusCode).toBe(422)
    for (let count = 3; count < 20; count += 1) await added({ slug: `call-${count}` })
    expect((await add({ slug: 'one-more' })).json().code).toBe('too_many_call_types')
  })
})

test('staff keep the further kinds, only the owner the first one; customers and strangers get nothing', async () => {
  const id = await added()
  const first = (await ask('GET', TYPES)).json()[0].id
  const { slug: _slug, ...rest } = workshop
  const requests = [
    ['GET', TYPES, undefined],
    ['POST', TYPES, { ...workshop, slug: 'other' }],
    ['PUT', `${TYPES}/${id}`, workshop],
    ['PUT', `${TYPES}/order`, { ids: [id, first] }],
    ['DELETE', `${TYPES}/${id}`, undefined],
  ] as const
  for (const [method, url, body] of requests) {
    expect((await ask(method, url, { as: customer, ...(body && { body }), version: 1 })).statusCode).toBe(403)
    const stranger = await app.inject({ method, url, headers: { 'sec-fetch-site': 'same-origin' }, ...(body && { payload: body }) })
    expect(stranger.statusCode).toBe(401)
  }
  const own = { body: { ...rest, slug: null, questions: [] }, version: 0 }
  expect((await ask('PUT', `${TYPES}/${first}`, own)).statusCode).toBe(403)
  expect((await ask('PUT', `${TYPES}/${first}`, { ...own, as: owner })).json()).toMatchObject({ slug: null, lengthMinutes: 90, version: 1 })
})

describe('visitors', () => {
  test('see the times of the kind they ask for: its length, hours, notice and place; dates with other hours of the host limit its own', async () => {
    const { userId } = await makeHost({ place: 'https://meet.example/grace' })
    await added({ hours: tuesdays, place: '12 Harbour Street', noticeMinutes: 3 * 24 * 60, slug: 'visit' })
    await added({ hours: tuesdays })
    expect((await slots('')).at(-1)).toBe(on(1, '15:30'))
    expect(await slots('workshop')).toEqual([TWO, on(1, '13:30'), on(1, '14:00'), on(1, '14:30')])
    expect(await slots('workshop', 2)).toEqual([])
    expect(await slots('visit')).toEqual([])
    await db
      .insertInto('bookingOverrides')
      .values({ hostId: userId, onDate: TWO.slice(0, 10), spans: JSON.stringify([{ from: '10:00', until: '15:30' }]) })
      .execute()
    announceBookings()
    expect(await slots('workshop')).toEqual([TWO])

    vi.setSystemTime(on(1, '06:00'))
    const visit = await book(bookingClient(app), on(8, '13:00'), { type: 'visit', answers: ['40'] })
    const row = await db.selectFrom('bookings').selectAll().where('id', '=', visit.json().id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ place: '12 Harbour Street', endsAt: new Date(on(8, '14:30')) })
  })

  test('never get two call types of one host at the same time, held or booked, however many ask at once', async () => {
    await makeHost()
    await added({ questions: [] })
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, async (_, at) =>
        book(bookingClient(app), at % 2 === 0 ? TEN : on(1, '08:30'), {
          email: `ada-${at}@analytical.example`,
          ...(at % 2 === 1 && { type: 'workshop' }),
        }),
      ),
    )
    expect(outcomes.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 3 }, () => 409),
    ])
    const [call] = await db.selectFrom('bookings').selectAll().execute()
    if (!call) throw new Error('No call was booked.')
    // The two tabs of one visitor, with a call type each: the later choice counts.
    const tabs = bookingClient(app)
    const held = await tabs('POST', '/api/booking/holds', { startsAt: on(2, '09:00') })
    const other = { startsAt: on(2, '08:30'), type: 'workshop', replaces: held.json().id }
    expect((await tabs('POST', '/api/booking/holds', other)).statusCode).toBe(201)
    expect((await slots('', 2)).includes(on(2, '09:00'))).toBe(false)
    expect(await db.selectFrom('bookings').select('id').where('status', '=', 'held').execute()).toHaveLength(1)
    // A hold of one kind is none of the other, which may be longer.
    const booked = await book(tabs, on(2, '08:30'))
    const row = await db.selectFrom('bookings').selectAll().where('id', '=', booked.json().id).executeTakeFirstOrThrow()
    expect(row.endsAt).toEqual(new Date(on(2, '09:00')))
  })

  test('who are choosing when a call type ends are told so, by the API and on its page, with a way to the others', async () => {
    await makeHost()
    const id = await added()
    await added({ title: 'Demo', slug: 'demo', questions: [] })
    const visitor = bookingClient(app)
    const page = async (url: string) => {
      const reply = await app.inject({ url, headers: { 'sec-fetch-site': 'same-origin' } })
      return { status: reply.statusCode, text: textOf(reply.body.slice(reply.body.indexOf('<main'))) }
    }
    const open = await page('/book/workshop')
    expect([open.status, open.text.includes('90 minutes')]).toEqual([200, true])
    expect((await page('/book')).text).toMatch(/Book a free 30-minute call .* Other calls Workshop 90 minutes Demo 90 minutes/)
    const listed = async () => [...(await app.inject('/sitemap.xml')).body.matchAll(/\/book[^<]*/g)].map(String)
    expect(await listed()).toEqual(['/book', '/book/workshop', '/book/demo'])
    await visitor('POST', '/api/booking/holds', { startsAt: TEN, type: 'workshop' })
    const off = { body: { ...workshop, isActive: false }, version: 1 }
    expect((await ask('PUT', `${TYPES}/${id}`, off)).statusCode).toBe(200)
    for (const reply of [
      await visitor('GET', `/api/booking/slots?from=${TEN}&to=${TWO}&type=workshop`),
      await visitor('POST', '/api/booking/holds', { startsAt: TWO, type: 'workshop' }),
      await book(visitor, TEN, { type: 'workshop', answers: ['40'] }),
      await book(visitor, TEN, { type: 'nonsense' }),
    ])
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'call_not_offered'])
    // Its copy in the page cache ends as well.
    const seen = async () => {
      const gone = await page('/book/workshop')
      return [gone.status, gone.text.includes(NOT_OFFERED), gone.text.includes('Demo 90 minutes')]
    }
    await expect.poll(seen).toEqual([404, true, true])
    await expect.poll(listed).toEqual(['/book', '/book/demo'])
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
    const sent = await app.inject({ method: 'POST', url: '/book/workshop', headers, payload: `intent=hold&startsAt=${TWO}` })
    expect([sent.statusCode, textOf(sent.body).includes(NOT_OFFERED)]).toEqual([404, true])
  })

  test('answer its questions: staff read them in the call, in the timeline, in the email and in their calendar, and webhooks name the kind', async () => {
    const { id: userId, email: address } = await makeUser({ role: 'staff', email: 'grace@winnow.example' })
    await makeHost({ userId })
    await added()
    const contact = await makeContact({ email: guest.email })
    const unanswered = await book(bookingClient(app), TEN, { type: 'workshop' })
    expect([unanswered.statusCode, Object.keys(unanswered.json().errors)]).toEqual([422, ['answers.0']])
    const { id } = (await book(bookingClient(app), TEN, { type: 'workshop', answers: ['40', 'Of shoes'] })).json()
    expect((await ask('GET', `/api/staff/bookings/${id}`)).json()).toMatchObject({
      title: 'Workshop',
      answers: [
        { question: 'How many shops?', answer: '40' },
        { question: 'Which prices?', answer: 'Of shoes' },
      ],
    })
    const event = await db
      .selectFrom('leadEvents')
      .select('detail')
      .where('contactId', '=', contact.id)
      .where('kind', '=', 'call_booked')
      .executeTakeFirstOrThrow()
    expect(event.detail).toMatchObject({
      title: expect.stringMatching(/^Workshop, Tuesday/),
      text: 'How many shops?\n40\n\nWhich prices?\nOf shoes',
    })
    const [toHost] = await emailsTo(String(address))
    const letter = writeEmail(toHost?.kind ?? '', JSON.stringify(toHost?.data))
    expect(letter.calendar?.text.replaceAll('\r\n ', '')).toContain('How many shops? 40')
    expect(toHost?.data).toMatchObject({ title: 'Workshop', answers: [{ answer: '40' }, { answer: 'Of shoes' }] })
    // The guest's email repeats nothing that was typed.
    const [toGuest] = await emailsTo(guest.email)
    const { body, calendar } = writeEmail(toGuest?.kind ?? '', JSON.stringify(toGuest?.data))
    const html = renderToStaticMarkup(body)
    expect(html).toContain('Workshop')
    for (const text of [html, calendar?.text]) expect(text).not.toContain('Of shoes')
  })
})
