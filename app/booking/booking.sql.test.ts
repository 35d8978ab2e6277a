import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { callToken } from '#app/leads/lead/call-link.server.ts'
import { claimOwnership } from '#app/auth/users/owner.server.ts'
import { adoptCalls, FUTURE_OWNER } from './future-owner.server.ts'
import { announceBookings } from './booking-signal.server.ts'
import { NO_CALLS } from './rules/booking.ts'
import { startEndpoints } from '#test/app.ts'
import { apiOf, book, bookingClient, dateOf, guest, MONDAY, on, resetCallTypes } from '#test/bookings.ts'
import { emailsTo } from '#test/emails.ts'
import { forgetLimits } from '#test/enquiries.ts'
import { makeBooking, makeContact, makeHost, makeOwner, makeUser } from '#test/factories.ts'

const app = await startEndpoints()
vi.useFakeTimers({ toFake: ['Date'], now: MONDAY })
afterAll(() => void vi.useRealTimers())
beforeEach(async () => {
  vi.setSystemTime(MONDAY)
  await forgetLimits()
  for (const table of ['bookings', 'bookingBusy', 'bookingOverrides', 'bookingHosts', 'consultations', 'jobs'] as const)
    await db.deleteFrom(table).execute()
  await resetCallTypes()
})

const week = `from=${on(0, '00:00')}&to=${on(7, '00:00')}`
/** 10:00 in Lagos on Tuesday. */
const TEN = on(1, '09:00')
const HALF_PAST_TEN = on(1, '09:30')
const ELEVEN = on(1, '10:00')

async function slotsOf(call = bookingClient(app), query = week): Promise<string[]> {
  // The rows that tests write themselves.
  announceBookings()
  const reply = await call('GET', `/api/booking/slots?${query}`)
  expect(reply.statusCode).toBe(200)
  return reply.json().slots.map(({ startsAt }: { startsAt: string }) => startsAt)
}

const rowOf = async (id: string) => db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('free times', () => {
  test('are none, with a reason, until there is an owner who has confirmed hours; no call can be held or booked', async () => {
    const client = bookingClient(app)
    const closed = async () => {
      announceBookings()
      const { slots, reason } = (await client('GET', `/api/booking/slots?${week}`)).json()
      expect([slots, reason]).toEqual([[], NO_CALLS])
      expect((await client('POST', '/api/booking/holds', { startsAt: TEN })).json()).toMatchObject({ code: 'slot_taken', alternatives: [] })
      const refused = await book(client, TEN)
      expect([refused.statusCode, refused.json().detail]).toEqual([409, NO_CALLS])
    }
    await closed()
    await makeUser({ role: 'staff' })
    const owner = await makeOwner()
    await closed()
    await makeHost({ userId: owner.id, confirmedAt: null })
    await closed()
    expect(await db.selectFrom('jobs').selectAll().execute()).toEqual([])
    await db.updateTable('bookingHosts').set({ confirmedAt: new Date() }).execute()
    announceBookings()
    const open = (await client('GET', `/api/booking/slots?${week}`)).json()
    expect([open.slots.length > 4 * 16, open.reason]).toEqual([true, undefined])
    expect((await book(client, TEN)).statusCode).toBe(201)
  })

  test('booked in an earlier version without an owner belong to the first one, who is told; a colleague who comes first gets none', async () => {
    await db.deleteFrom('users').execute()
    await makeHost()
    const [taken, , , other] = await slotsOf()
    const { id, manageUrl } = (await book(bookingClient(app), taken ?? '')).json()
    await db.updateTable('bookings').set({ hostId: FUTURE_OWNER }).execute()
    const user = await makeUser()
    expect(await transaction((trx) => claimOwnership(trx, user, { ownerEmail: undefined, isLocal: true }))).toBe(true)
    expect(await rowOf(id)).toMatchObject({ hostId: user.id, status: 'booked', sequence: 0 })
    expect((await bookingClient(app)('PATCH', apiOf({ manageUrl }), { startsAt: other })).json()).toMatchObject({ startsAt: other })
    const told = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
    expect(told.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ subjectId: id, to: { userIds: [user.id] } }))
  })

  test('booked before an owner came from elsewhere belong to the owner after a start, but for a time that is taken', async () => {
    await db.deleteFrom('users').execute()
    const owner = await makeOwner()
    await makeHost({ userId: owner.id })
    const [one, , , other] = await slotsOf()
    const ids = []
    for (const startsAt of [one, other]) ids.push((await book(bookingClient(app), startsAt ?? '')).json().id)
    await db.updateTable('bookings').set({ hostId: FUTURE_OWNER }).execute()
    await makeBooking({ hostId: owner.id, startsAt: new Date(other ?? '') })
    await adoptCalls()
    expect(await Promise.all(ids.map(async (id) => (await rowOf(id)).hostId))).toEqual([owner.id, FUTURE_OWNER])
  })

  test('keep the notice of four hours and end half an hour before the office closes', async () => {
    await makeHost()
    const slots = await slotsOf(bookingClient(app), `from=${on(0, '00:00')}&to=${on(1, '00:00')}`)
    // 07:00 in Lagos: from 11:00 to 16:30 there.
    expect(slots.at(0)).toBe(on(0, '10:00'))
    expect(slots.at(-1)).toBe(on(0, '15:30'))
  })

  test('leave out a free day, other calendars with the buffer, and everything beyond the daily cap', async () => {
    const { userId: hostId } = await makeHost({ dailyCap: 1 })
    await db
      .insertInto('bookingOverrides')
      .values({ hostId, onDate: dateOf(2), spans: '[]' })
      .execute()
    const evening = JSON.stringify([{ from: '20:00', until: '21:00' }])
    await db
      .insertInto('bookingOverrides')
      .values({ hostId, onDate: dateOf(5), spans: evening })
      .execute()
    const busy = { hostId, startsAt: new Date(on(3, '09:30')), endsAt: new Date(on(3, '15:00')) }
    await db
      .insertInto('bookingBusy')
      .values({ id: crypto.randomUUID(), ...busy })
      .execute()
    expect((await book(bookingClient(app), TEN)).statusCode).toBe(201)
    const slots = await slotsOf()
    const at = (date: string) => slots.filter((slot) => slot.startsWith(date)).map((slot) => slot.slice(11, 16))
    expect(at(dateOf(1))).toEqual([])
    expect(at(dateOf(2))).toEqual([])
    // At 10:00 in Lagos, the ten minutes after the call would reach into the event.
    expect(at(dateOf(3))).toEqual(['08:00', '08:30', '15:00', '15:30'])
    expect(at(dateOf(5))).toEqual(['19:00', '19:30'])
  })

  test.each([
    ['from=yesterday&to=2026-12-07T00:00:00Z', 422],
    [`from=${on(0, '00:00')}&to=${on(63, '00:00')}`, 422],
    [`${week}&timeZone=Mars/Olympus`, 422],
  ])('are refused for %s', async (query, status) => {
    expect((await bookingClient(app)('GET', `/api/booking/slots?${query}`)).statusCode).toBe(status)
  })
})

describe('the telephone number', () => {
  test.each([
    ['We call you', 422],
    ['We’ll call you on the number that you give', 422],
    ['https://meet.example/grace', 201],
    ['12 Harbour Street', 201],
    ['', 201],
  ])('is required only where we call: “%s”', async (place, status) => {
    await makeHost({ place })
    const client = bookingClient(app)
    const reply = await book(client, TEN, { phone: undefined })
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([status, status === 422 ? ['phone'] : []])
    const withNumber = status === 422 ? await book(client, TEN, { phone: '+44 20 7946 0000' }) : reply
    expect(withNumber.statusCode).toBe(201)
  })
})

describe('a hold', () => {
  test('takes the time from everyone but its holder, for ten minutes', async () => {
    await makeHost()
    const [ada, bob] = [bookingClient(app), bookingClient(app)]
    const held = await ada('POST', '/api/booking/holds', { startsAt: TEN })
    expect([held.statusCode, held.json().expiresAt]).toEqual([201, on(0, '06:10')])
    expect(held.headers['set-cookie']).toMatch(/HttpOnly; SameSite=Lax/)
    expect(await slotsOf(bob)).not.toContain(TEN)
    expect(await slotsOf(ada)).toContain(TEN)
    const late = await bob('POST', '/api/booking/holds', { startsAt: TEN })
    expect([late.statusCode, late.json().code, late.json().alternatives.length]).toEqual([409, 'slot_taken', 3])

    vi.setSystemTime(new Date(MONDAY.getTime() + 10 * 60_000))
    expect((await bob('POST', '/api/booking/holds', { startsAt: TEN })).statusCode).toBe(201)
    expect(await db.selectFrom('bookings').select('id').execute()).toHaveLength(1)
  })

  test('of the same time is the same hold; another one can take its place, or it ends', async () => {
    await makeHost()
    const ada = bookingClient(app)
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    expect((await ada('POST', '/api/booking/holds', { startsAt: TEN })).json().id).toBe(id)
    const moved = await ada('POST', '/api/booking/holds', { startsAt: HALF_PAST_TEN, replaces: id })
    expect(moved.statusCode).toBe(201)
    expect(await db.selectFrom('bookings').select('startsAt').execute()).toEqual([{ startsAt: new Date(HALF_PAST_TEN) }])
    expect((await bookingClient(app)('DELETE', `/api/booking/holds/${moved.json().id}`)).statusCode).toBe(404)
    expect((await ada('DELETE', `/api/booking/holds/${moved.json().id}`)).statusCode).toBe(204)
    expect(await slotsOf()).toContain(HALF_PAST_TEN)
  })

  test('of a time that its visitor holds in another tab ends, when it moves there', async () => {
    await makeHost()
    const ada = bookingClient(app)
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    const other = (await ada('POST', '/api/booking/holds', { startsAt: ELEVEN })).json()
    expect((await ada('POST', '/api/booking/holds', { startsAt: ELEVEN, replaces: id })).json().id).toBe(other.id)
    expect((await ada('POST', '/api/booking/holds', { startsAt: ELEVEN, replaces: other.id })).json().id).toBe(other.id)
    expect(await db.selectFrom('bookings').select('startsAt').execute()).toEqual([{ startsAt: new Date(ELEVEN) }])
  })

  test('whose new time is taken stays where it is', async () => {
    await makeHost()
    const ada = bookingClient(app)
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    await book(bookingClient(app), ELEVEN)
    expect((await ada('POST', '/api/booking/holds', { startsAt: ELEVEN, replaces: id })).statusCode).toBe(409)
    expect(await rowOf(id)).toMatchObject({ status: 'held', startsAt: new Date(TEN) })
  })

  test('is refused to a visitor with three, and to a network with twenty', async () => {
    await makeHost()
    const slots = await slotsOf()
    // Every second one: the buffer blocks the next.
    const free = slots.filter((_, at) => at % 2 === 0)
    const ada = bookingClient(app)
    const own = []
    for (const startsAt of free.slice(0, 4)) own.push((await ada('POST', '/api/booking/holds', { startsAt })).statusCode)
    expect(own).toEqual([201, 201, 201, 429])
    const others = []
    for (const startsAt of free.slice(4, 22)) others.push((await bookingClient(app)('POST', '/api/booking/holds', { startsAt })).statusCode)
    expect(others).toEqual([...Array.from({ length: 17 }, () => 201), 429])
  })

  test('with a forged cookie is a stranger’s', async () => {
    await makeHost()
    const ada = bookingClient(app)
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    const { holder } = await rowOf(id)
    const forged = bookingClient(app, { cookie: `winnow-booking=${holder}.${'A'.repeat(43)}` })
    expect((await forged('DELETE', `/api/booking/holds/${id}`)).statusCode).toBe(404)
  })
})

describe('a booking', () => {
  test('is stored with its consultation, invites guest and host, and plans the reminders', async () => {
    const host = await makeUser({ role: 'staff', email: 'grace@winnow.example' })
    await makeHost({ userId: host.id, place: 'https://meet.example/grace' })
    const reply = await book(bookingClient(app), TEN)
    expect(reply.statusCode).toBe(201)
    const receipt = reply.json()
    expect(receipt).toEqual({
      id: expect.any(String),
      reference: expect.stringMatching(/^C-\w{6}$/),
      startsAt: TEN,
      endsAt: HALF_PAST_TEN,
      manageUrl: expect.stringMatching(/^http:\/\/localhost:3000\/book\/manage\/[\w-]{32}$/),
    })
    const row = await rowOf(receipt.id)
    expect(row).toMatchObject({ status: 'booked', hostId: host.id, blockedUntil: new Date(on(1, '09:40')), sequence: 0 })
    const consultation = await db.selectFrom('consultations').selectAll().where('id', '=', row.consultationId).executeTakeFirstOrThrow()
    expect(consultation).toMatchObject({ source: 'booking', name: guest.name, phone: guest.phone, personId: row.personId })
    expect((await emailsTo(guest.email)).map(({ kind }) => kind)).toEqual(['call-booked'])
    expect((await emailsTo('grace@winnow.example')).map(({ kind }) => kind)).toEqual(['host-call-booked'])
    const planned = await db.selectFrom('jobs').select('runAt').where('kind', '=', 'bookings.remind').orderBy('runAt').execute()
    expect(planned.map(({ runAt }) => runAt.toISOString())).toEqual([on(0, '09:00'), on(1, '08:00')])
    const [event] = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', receipt.id).execute()
    expect(event?.action).toBe('call_booked')
  })

  test('takes the held time of its visitor, and nobody else’s', async () => {
    await makeHost()
    const [ada, bob] = [bookingClient(app), bookingClient(app)]
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    const stolen = await book(bob, TEN, { holdId: id })
    expect([stolen.statusCode, stolen.json().code]).toEqual([409, 'slot_taken'])
    expect(stolen.json().alternatives).toHaveLength(3)
    const own = await book(ada, TEN, { holdId: id })
    expect([own.statusCode, own.json().id]).toEqual([201, id])
  })

  test('after its hold has ended is possible while nobody has the time', async () => {
    await makeHost()
    const ada = bookingClient(app)
    const { id } = (await ada('POST', '/api/booking/holds', { startsAt: TEN })).json()
    vi.setSystemTime(new Date(MONDAY.getTime() + 11 * 60_000))
    expect((await book(ada, TEN, { holdId: id })).statusCode).toBe(201)
  })

  test('of a taken time gets 409 with the three nearest free ones', async () => {
    await makeHost()
    await book(bookingClient(app), TEN)
    const reply = await book(bookingClient(app), TEN, { email: 'bob@other.example' })
    expect(reply.statusCode).toBe(409)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    // 9:30 would reach into the call with its buffer, and 10:30 begins in the buffer of the call.
    expect(reply.json()).toMatchObject({
      code: 'slot_taken',
      alternatives: [{ startsAt: on(1, '08:00') }, { startsAt: ELEVEN }, { startsAt: on(1, '10:30') }],
    })
  })

  test.each([
    [on(1, '05:00'), 'This time was just taken.'],
    [on(1, '09:10'), 'This time was just taken.'],
    [on(5, '09:00'), 'This time was just taken.'],
    [on(-3, '09:00'), 'This time has passed.'],
    [on(0, '08:30'), 'This time is too soon: we need 4 hours of notice.'],
    [on(183, '09:00'), 'We take calls at most 60 days ahead.'],
  ])('at %s, outside of the rules, is refused like a taken one: %s', async (startsAt, sentence) => {
    await makeHost()
    const reply = await book(bookingClient(app), startsAt)
    expect([reply.statusCode, reply.json().code, reply.json().detail]).toEqual([409, 'slot_taken', sentence])
    expect(reply.json().alternatives).toEqual(expect.any(Array))
  })

  test('goes to the host who is free and had a call least recently', async () => {
    const [grace, jean] = [await makeHost(), await makeHost({ name: 'Jean' })]
    const hosts = []
    for (const startsAt of [TEN, TEN, ELEVEN, ELEVEN]) {
      const { id } = (await book(bookingClient(app), startsAt)).json()
      hosts.push((await rowOf(id)).hostId)
    }
    expect(new Set(hosts.slice(0, 2))).toEqual(new Set([grace.userId, jean.userId]))
    expect(new Set(hosts.slice(2))).toEqual(new Set([grace.userId, jean.userId]))
    expect((await book(bookingClient(app), TEN, { email: 'bob@other.example' })).statusCode).toBe(409)
  })

  test('sent again with its key is the same; the key of another one is refused', async () => {
    await makeHost()
    const key = { 'idempotency-key': 'k-1' }
    const first = await book(bookingClient(app), TEN, {}, key)
    const again = await book(bookingClient(app), TEN, {}, key)
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
    const together = await Promise.all([1, 2, 3].map(async () => book(bookingClient(app), ELEVEN, {}, { 'idempotency-key': 'k-2' })))
    expect(new Set(together.map((reply) => reply.json().id)).size).toBe(1)
    expect((await book(bookingClient(app), TEN, { name: 'Bob' }, key)).json().code).toBe('idempotency_key_reused')
  })

  test('hangs on the enquiry of the link, or of the address', async () => {
    await makeHost()
    const own = await makeContact({ email: guest.email })
    const other = await makeContact()
    const byAddress = (await book(bookingClient(app), TEN)).json()
    const byLink = (await book(bookingClient(app), ELEVEN, { enquiry: callToken(other.id) })).json()
    const forged = (await book(bookingClient(app), on(1, '12:00'), { enquiry: `${other.id}.${'A'.repeat(43)}` })).json()
    expect((await rowOf(byAddress.id)).contactId).toBe(own.id)
    expect((await rowOf(byLink.id)).contactId).toBe(other.id)
    expect((await rowOf(forged.id)).contactId).toBe(own.id)
    const of = async (id: string) => (await rowOf(id)).personId
    expect([await of(byAddress.id), await of(byLink.id)]).toEqual([own.personId, own.personId])
    const { answeredAt } = await db.selectFrom('contacts').selectAll().where('id', '=', own.id).executeTakeFirstOrThrow()
    expect(answeredAt).toBeNull()
  })

  test('belongs to the person of its enquiry, also where staff have moved that to someone with another address', async () => {
    await makeHost()
    const { personId } = await makeContact({ email: 'ada@work.example' })
    const moved = await makeContact({ email: guest.email, personId })
    const { id } = (await book(bookingClient(app), TEN, { enquiry: callToken(moved.id) })).json()
    const call = await rowOf(id)
    expect([call.contactId, call.personId]).toEqual([moved.id, personId])
    const consultation = await db.selectFrom('consultations').select(['contactId', 'personId']).executeTakeFirstOrThrow()
    expect(consultation).toEqual({ contactId: moved.id, personId })
  })

  test('answers the questions of the business', async () => {
    await makeHost()
    await resetCallTypes({ questions: JSON.stringify([{ label: 'How many shops?', isRequired: true }]) })
    const without = await book(bookingClient(app), TEN)
    expect([without.statusCode, Object.keys(without.json().errors)]).toEqual([422, ['answers.0']])
    const { id } = (await book(bookingClient(app), TEN, { answers: ['40'] })).json()
    expect((await rowOf(id)).answers).toEqual([{ question: 'How many shops?', answer: '40' }])
  })

  test.each([
    ['name', { name: '' }],
    ['email', { email: 'ada' }],
    ['projectDescription', { projectDescription: 'short' }],
    ['timeZone', { timeZone: '+02:00' }],
    ['startsAt', { startsAt: 'tomorrow' }],
    ['phone', { phone: 'call me' }],
  ])('without a right %s is refused with a sentence', async (field, wrong) => {
    await makeHost()
    const reply = await book(bookingClient(app), TEN, wrong)
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
  })

  test('of a robot, of a foreign site, and of an address with five calls ahead is refused', async () => {
    await makeHost()
    expect((await book(bookingClient(app), TEN, { homepage: 'https://spam.example' })).statusCode).toBe(422)
    expect((await book(bookingClient(app, { 'sec-fetch-site': 'cross-site' }), TEN)).statusCode).toBe(403)
    const free = (await slotsOf()).filter((_, at) => at % 2 === 0)
    const statuses = []
    for (const startsAt of free.slice(0, 6)) {
      await forgetLimits()
      statuses.push((await book(bookingClient(app), startsAt)).statusCode)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 409])
  })
})

describe('a guest', () => {
  test('reads, moves and cancels the booking by its link, without an account', async () => {
    await makeHost()
    const receipt = (await book(bookingClient(app), TEN)).json()
    const guests = bookingClient(app)
    const read = await guests('GET', apiOf(receipt))
    expect(read.json()).toMatchObject({
      ...receipt,
      status: 'booked',
      timeZone: guest.timeZone,
      host: { name: 'Grace Hopper', timeZone: 'Africa/Lagos' },
      changeableUntil: on(1, '07:00'),
      isChangeable: true,
    })
    const moved = await guests('PATCH', apiOf(receipt), { startsAt: HALF_PAST_TEN, reason: 'A train.' })
    expect([moved.statusCode, moved.json().startsAt, moved.json().sequence]).toEqual([200, HALF_PAST_TEN, 1])
    expect((await guests('PATCH', apiOf(receipt), { startsAt: HALF_PAST_TEN })).json().sequence).toBe(1)
    expect(await slotsOf()).toContain(on(1, '08:30'))
    const cancelled = await guests('DELETE', apiOf(receipt))
    expect([cancelled.statusCode, cancelled.json().status, cancelled.json().sequence]).toEqual([200, 'cancelled', 2])
    expect((await guests('DELETE', apiOf(receipt))).json().sequence).toBe(2)
    expect(await slotsOf()).toContain(TEN)
    expect((await emailsTo(guest.email)).map(({ kind }) => kind)).toEqual(['call-booked', 'call-changed', 'call-cancelled'])
    expect((await guests('PATCH', apiOf(receipt), { startsAt: TEN })).json().code).toBe('not_booked')
  })

  test('cannot move to a taken time, and keeps the old one', async () => {
    await makeHost()
    const receipt = (await book(bookingClient(app), TEN)).json()
    await book(bookingClient(app), ELEVEN)
    const refused = await bookingClient(app)('PATCH', apiOf(receipt), { startsAt: ELEVEN })
    expect([refused.statusCode, refused.json().code, refused.json().alternatives.length]).toEqual([409, 'slot_taken', 3])
    expect(await rowOf(receipt.id)).toMatchObject({ startsAt: new Date(TEN), sequence: 0 })
  })

  test('changes the call until two hours before it, by server time, and not after', async () => {
    await makeHost()
    const receipt = (await book(bookingClient(app), TEN)).json()
    vi.setSystemTime(on(1, '07:00'))
    expect((await bookingClient(app)('PATCH', apiOf(receipt), { startsAt: on(1, '13:00') })).statusCode).toBe(200)
    vi.setSystemTime(new Date(Date.parse(on(1, '11:00')) + 1))
    for (const [method, body] of [
      ['PATCH', { startsAt: on(2, '13:00') }],
      ['DELETE', undefined],
    ] as const) {
      const late = await bookingClient(app)(method, apiOf(receipt), body)
      expect([late.statusCode, late.json().code]).toEqual([409, 'change_window_closed'])
    }
  })

  test('with a guessed or a replaced link finds nothing', async () => {
    await makeHost()
    const receipt = (await book(bookingClient(app), TEN)).json()
    for (const token of ['x', 'A'.repeat(32), encodeURIComponent('../../x')])
      expect((await bookingClient(app)('GET', `/api/bookings/${token}`)).statusCode).toBe(404)
    expect((await bookingClient(app)('POST', `${apiOf(receipt)}/link`)).statusCode).toBe(204)
    expect((await bookingClient(app)('GET', apiOf(receipt))).statusCode).toBe(404)
    const newest = (await emailsTo(guest.email)).at(-1)
    expect(newest?.kind).toBe('call-new-link')
    expect((await bookingClient(app)('GET', apiOf(newest?.data))).json().id).toBe(receipt.id)
  })
})

test('the table itself refuses two calls of one host at once, and lets them touch', async () => {
  const { userId: hostId } = await makeHost()
  const at = (from: string, until: string, status: 'booked' | 'cancelled' = 'booked') =>
    db
      .insertInto('bookings')
      .values({
        id: crypto.randomUUID(),
        hostId,
        status,
        startsAt: new Date(from),
        endsAt: new Date(until),
        blockedFrom: new Date(from),
        blockedUntil: new Date(until),
      })
      .execute()
  await at(on(1, '09:00'), on(1, '09:30'))
  await at(on(1, '09:30'), on(1, '10:00'))
  await at(on(1, '09:10'), on(1, '09:40'), 'cancelled')
  await expect(at(on(1, '09:29'), on(1, '09:31'))).rejects.toThrow(/bookings_no_overlap/)
  await expect(sql`UPDATE bookings SET status = 'booked' WHERE status = 'cancelled'`.execute(db)).rejects.toThrow(/bookings_no_overlap/)
})
